import { describe, expect, it } from "vitest";
import { endpointRefusal } from "../../src/webhooks/deliver.ts";

describe("a caller's webhook URL", () => {
  it.each(["https://hooks.example.com/in?team=1", "https://8.8.8.8/in"])("%s may be sent to", (url) => {
    expect(endpointRefusal(url)).toBeUndefined();
  });

  it.each([
    "http://hooks.example.com/in",
    "https://127.0.0.1/in",
    "https://[::1]/in",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:10.0.0.1]/in",
    "https://0x7f000001/in",
    "https://localhost/in",
    "https://hooks.internal./in",
    "https://hooks.example.com:8443/in",
    "https://user:secret@hooks.example.com/in",
    "ftp://hooks.example.com/in",
    "hooks.example.com/in",
    "",
  ])("%s is refused", (url) => {
    expect(endpointRefusal(url)).toEqual(expect.any(String));
  });
});
