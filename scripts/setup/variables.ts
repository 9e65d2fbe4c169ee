import { UsageError } from "./settings.ts";

/**
 * wrangler.toml with other values of variables: the line of each in `[vars]` is replaced or added, every other byte
 * stays. Throws UsageError where there is no `[vars]`.
 */
export function withVariables(toml: string, variables: Readonly<Record<string, string>>): string {
  const lines = toml.split("\n");
  const begin = lines.findIndex((line) => /^\s*\[vars\]\s*(#.*)?$/.test(line));
  if (begin < 0) throw new UsageError("wrangler.toml has no section [vars].");
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name} = ${JSON.stringify(value)}`;
    const length = lines.slice(begin + 1).findIndex((each) => /^\s*\[/.test(each));
    const end = length < 0 ? lines.length : begin + 1 + length;
    const at = lines.findIndex((each, index) => index > begin && index < end && isOf(name, each));
    if (at < 0) lines.splice(begin + 1, 0, line);
    else lines[at] = line;
  }
  return lines.join("\n");
}

function isOf(name: string, line: string): boolean {
  return line.split("=", 1)[0]?.trim() === name;
}
