import type { Outcome } from "../../src/cascade/outcome.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { imgbbUpload } from "../../src/providers/imgbb.ts";
import type { Capability, Provider, ReverseImageQuery } from "../../src/providers/types.ts";
import { pictures, search } from "./replies.ts";

/** One way in which a provider's answers are read. */
export interface Reader {
  readonly what: string;
  read(reply: UpstreamReply, num?: number): Outcome<unknown>;
  /** Its hits have one result, whatever number is asked for. */
  readonly single?: true;
}

export const byImage: ReverseImageQuery = { imageUrl: "https://pictures.example/a.jpg" };

/** All of them, the provider's usual one first. */
export function readersOf(provider: Provider): readonly Reader[] {
  const { web, images, licensedImages, webEngines, imageEngines, reverseEngines, repositories, answers } = provider;
  return [
    ...bySearch({ web, images, ...webEngines, ...imageEngines, repositories }),
    ...(licensedImages
      ? [
          {
            what: "pictures",
            read: (reply: UpstreamReply, num = 20) => licensedImages.read(reply, pictures({ num })),
          },
        ]
      : []),
    ...Object.entries(reverseEngines ?? {}).map(([what, { read }]) => alone(what, (reply) => read(reply, byImage))),
    ...(answers ? [alone("answers", (reply) => answers.read(reply, { question: "old bridge?", grounded: true }))] : []),
    ...(provider.id === "imgbb"
      ? [alone("upload", (reply) => imgbbUpload.read(reply, { base64: "AA==", expiresIn: 300 }))]
      : []),
  ];
}

function bySearch(
  capabilities: Readonly<Record<string, Capability<ReturnType<typeof search>, unknown> | undefined>>,
): Reader[] {
  return Object.entries(capabilities).flatMap(([what, capability]) =>
    capability === undefined
      ? []
      : [{ what, read: (reply: UpstreamReply, num = 10) => capability.read(reply, search({ num })) }],
  );
}

function alone(what: string, read: (reply: UpstreamReply) => Outcome<unknown>): Reader {
  return { what, read, single: true };
}
