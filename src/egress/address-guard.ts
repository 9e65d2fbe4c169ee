import ipaddr from "ipaddr.js";

export interface GuardRules {
  /** Plain http is refused unless configuration says otherwise. */
  readonly allowHttp: boolean;
  /** Hosts that the operator named in configuration; they may be private, may use http and any port. */
  readonly operatorHosts?: readonly string[];
}

/**
 * Whether a URL may be asked for from inside our network: http(s) on its usual port, no credentials, a public address
 * or a name that can be public. Returns why not, or undefined. The URL parser has already unfolded octal, hexadecimal
 * and one-number IPv4 spellings and full-width digits.
 */
export function refusal(url: URL, rules: GuardRules): string | undefined {
  if (url.username !== "" || url.password !== "") return "the URL holds credentials";
  if (rules.operatorHosts?.includes(url.host)) {
    return url.protocol === "https:" || url.protocol === "http:" ? undefined : "the scheme is not http or https";
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && rules.allowHttp)) {
    return rules.allowHttp ? "the scheme is not http or https" : "the scheme is not https";
  }
  if (url.port !== "" && url.port !== "80" && url.port !== "443") return "the port is neither 80 nor 443";
  return refusedHost(url.hostname);
}

const LOCAL_SUFFIXES = new Set([
  "localhost",
  "local",
  "internal",
  "localdomain",
  "home.arpa",
  "onion",
  // Names that networks give themselves (RFC 6762, appendix G), and what Kubernetes calls its services.
  "corp",
  "home",
  "intranet",
  "lan",
  "private",
  "svc",
]);

/** Public by their number, but the hypervisor's own: Azure's platform address. */
const PLATFORM_ADDRESSES = new Set(["168.63.129.16"]);

function refusedHost(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.+$/, "");
  if (bare === "") return "the host is empty";
  // Hosts of a parsed URL: a name has none of an address's marks, a last label of digits or colons.
  if (/(?:^|\.)\d+$|:/.test(bare) && ipaddr.isValid(bare))
    return isPublicAddress(bare) ? undefined : "the address is not public";
  const labels = bare.toLowerCase().split(".");
  if (labels.length < 2) return "the host has a single label";
  if (labels.includes("")) return "the host is not a name";
  const last = labels.at(-1)!;
  if (LOCAL_SUFFIXES.has(last) || LOCAL_SUFFIXES.has(labels.slice(-2).join("."))) {
    return "the host is a local name";
  }
  // WHATWG hosts that end in a number are IPv4 or invalid; nothing else may look like one.
  if (/^\d+$/.test(last)) return "the host is not a name";
  return undefined;
}

/** Public unicast, also looking inside addresses that wrap an IPv4 one. `address` is an IP literal. */
export function isPublicAddress(address: string): boolean {
  // `process` turns a v4-mapped address into the IPv4 one.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return isPublicIpv4(parsed.toString());
  const { wrapped, isPublic } = readIpv6(parsed as ipaddr.IPv6);
  return isPublic && (wrapped === undefined || isPublicIpv4(wrapped));
}

function isPublicIpv4(address: string): boolean {
  return ipaddr.IPv4.parse(address).range() === "unicast" && !PLATFORM_ADDRESSES.has(address);
}

/** `wrapped` is the IPv4 address that a transition address leads to (RFC 6052 /96, RFC 3056, RFC 4380, RFC 5214). */
function readIpv6(address: ipaddr.IPv6): { readonly isPublic: boolean; readonly wrapped?: string } {
  const bytes = address.toByteArray();
  const dotted = (from: number, mask = 0) =>
    bytes
      .slice(from, from + 4)
      .map((byte) => byte ^ mask)
      .join(".");
  switch (address.range()) {
    case "rfc6052":
      // 64:ff9b:1::/48 is for local use (RFC 8215), whatever it wraps.
      return { isPublic: bytes.slice(4, 12).every((byte) => byte === 0), wrapped: dotted(12) };
    case "6to4":
      return { isPublic: true, wrapped: dotted(2) };
    case "teredo":
      // Teredo stores the client's address with every bit flipped.
      return { isPublic: true, wrapped: dotted(12, 0xff) };
    case "unicast":
      // All that IANA has given out as global unicast; what lies outside is unassigned, or `::a.b.c.d` of old.
      return { isPublic: bytes[0]! >> 5 === 0b001, ...(isIsatap(bytes) ? { wrapped: dotted(12) } : {}) };
    default:
      return { isPublic: false };
  }
}

/** Interface identifiers of ISATAP: `::0:5efe:a.b.c.d` and `::200:5efe:a.b.c.d`. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
