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
  "lan",
  "intranet",
  "onion",
]);

function refusedHost(hostname: string): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.+$/, "");
  if (bare === "") return "the host is empty";
  if (ipaddr.isValid(bare)) return isPublicAddress(bare) ? undefined : "the address is not public";
  const labels = bare.toLowerCase().split(".");
  if (labels.length < 2) return "the host has a single label";
  const last = labels.at(-1)!;
  if (LOCAL_SUFFIXES.has(last) || LOCAL_SUFFIXES.has(labels.slice(-2).join("."))) {
    return "the host is a local name";
  }
  // WHATWG hosts that end in a number are IPv4 or invalid; nothing else may look like one.
  if (/^\d+$/.test(last)) return "the host is not a name";
  return undefined;
}

/** Public unicast, also looking inside v4-mapped, NAT64, 6to4 and Teredo addresses. `address` is an IP literal. */
export function isPublicAddress(address: string): boolean {
  // `process` turns a v4-mapped address into the IPv4 one.
  const parsed = ipaddr.process(address);
  if (parsed.range() === "unicast") return true;
  if (parsed.kind() !== "ipv6") return false;
  const embedded = embeddedIpv4(parsed as ipaddr.IPv6);
  return embedded !== undefined && ipaddr.IPv4.parse(embedded).range() === "unicast";
}

/** The IPv4 address that a transition address leads to (RFC 6052 /96, RFC 3056, RFC 4380). */
function embeddedIpv4(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray();
  const dotted = (from: number, mask = 0) =>
    bytes
      .slice(from, from + 4)
      .map((byte) => byte ^ mask)
      .join(".");
  switch (address.range()) {
    case "rfc6052":
      // 64:ff9b:1::/48 is for local use (RFC 8215), whatever it wraps.
      return bytes.slice(4, 12).every((byte) => byte === 0) ? dotted(12) : undefined;
    case "6to4":
      return dotted(2);
    case "teredo":
      // Teredo stores the client's address with every bit flipped.
      return dotted(12, 0xff);
    default:
      return undefined;
  }
}
