/** As much of package-lock.json (version 3) as the audit reads. */
export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface AuditRules {
  /** Packages that may run a script when they are installed, and why. */
  readonly installScripts: Readonly<Record<string, string>>;
  /** SPDX identifiers that whatever we hand on may have. */
  readonly licenses: readonly string[];
  /** Direct dependencies that are never part of what is deployed, and why. */
  readonly notDeployed: Readonly<Record<string, string>>;
  /** Others whose files are served. */
  readonly served: readonly string[];
}

const REGISTRY = "https://registry.npmjs.org/";
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** What of a lockfile breaks the rules, one line each; the same lockfile always gives the same lines. */
export function lockfileFaults(lockfile: Lockfile, rules: AuditRules): string[] {
  const locked = Object.entries(lockfile.packages).filter(([path]) => path !== "");
  const scripted = new Set(locked.filter(([, each]) => each.hasInstallScript).map(([path]) => nameOf(path)));
  const unused = Object.keys(rules.installScripts).filter((name) => !scripted.has(name));
  return [
    ...(lockfile.lockfileVersion === 3 ? [] : ["the lockfile is not of version 3"]),
    ...locked.flatMap(([path, each]) => sourceFaults(path, each)),
    ...[...scripted]
      .filter((name) => !(name in rules.installScripts))
      .map((name) => `${name} runs a script at installation, and nobody has allowed it`),
    ...unused.map((name) => `${name} is allowed a script at installation and has none: take it off the list`),
    ...deployed(lockfile, rules).flatMap((path) => licenseFaults(path, lockfile.packages[path]!, rules)),
  ];
}

/** From the registry, one exact version, and bytes that nobody can exchange. */
function sourceFaults(path: string, { version = "", resolved, integrity, link }: LockedPackage): string[] {
  const name = nameOf(path);
  if (!path.startsWith("node_modules/") || link === true) return [`${path} is not a package of the registry`];
  return [
    ...(EXACT_VERSION.test(version) ? [] : [`${name} has no exact version`]),
    // npm leaves `resolved` out where it is the registry's own address (`omit-lockfile-registry-resolved`).
    ...(resolved === undefined || resolved.startsWith(REGISTRY) ? [] : [`${name} does not come from the registry`]),
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [] : [`${name} has no SHA-512 of its bytes`]),
  ];
}

function licenseFaults(path: string, { license = "none" }: LockedPackage, { licenses }: AuditRules): string[] {
  const choices = license.replaceAll(/[()]/g, "").split(" OR ");
  const isAllowed = choices.some((choice) => choice.split(" AND ").every((part) => licenses.includes(part)));
  return isAllowed ? [] : [`${nameOf(path)} is deployed under the license ${license}, which is not on the list`];
}

/** The paths of everything that a deployment can contain: direct dependencies, what is served, and theirs. */
export function deployed({ packages }: Lockfile, rules: AuditRules): string[] {
  const direct = Object.keys(packages[""]?.dependencies ?? {}).filter((name) => !(name in rules.notDeployed));
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    const path = resolve(name, from, packages);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies = {}, peerDependencies = {} } = packages[path]!;
    for (const each of Object.keys({ ...dependencies, ...peerDependencies })) visit(each, path);
  };
  for (const name of [...direct, ...rules.served]) visit(name, "");
  return [...found].toSorted();
}

/** Node's way: in the package's own folder, then in those around it. */
function resolve(name: string, from: string, packages: Lockfile["packages"]): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return undefined;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
