/** An address with its query; parameters that are `undefined` are left out. */
export function urlWith(address: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${address}?${query.toString()}`;
}
