/**
 * Modules in front of the built Worker whose clock is wrong by so many milliseconds, as that of a machine is that it
 * woke up on. Alarms keep the right time: the platform's clock is another one than the isolate's.
 */
export function skewedClock(skewMs: number): { name: string; contents: string }[] {
  const clock = `
    const RightDate = Date;
    globalThis.Date = class Date extends RightDate {
      constructor(...parts) {
        if (parts.length === 0) super(RightDate.now() + ${skewMs});
        else super(...parts);
      }
      static now() {
        return RightDate.now() + ${skewMs};
      }
    };
  `;
  const entry = `
    import "./skewed-clock.js";
    export * from "./worker.js";
    export { default } from "./worker.js";
  `;
  return [
    { name: "skewed-entry.js", contents: entry },
    { name: "skewed-clock.js", contents: clock },
  ];
}
