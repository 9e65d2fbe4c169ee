import { SluiceError } from "../errors.ts";
import type { CommitRefusal } from "./commit.ts";

const WHY: Readonly<Record<CommitRefusal["code"], (existing: string) => string>> = {
  "filename-conflict": (existing) => `The project has an image named ${existing}, which differs only in case.`,
  "manual-image-kept": (existing) => `${existing} was chosen by hand; a search does not replace it.`,
  "stem-conflict": (existing) => `The project has ${existing}, which differs only in its extension.`,
  "late-attempt": (existing) => `A later attempt of the same batch is at work on ${existing}.`,
};

export function refuse(refusal: CommitRefusal | undefined): void {
  if (refusal !== undefined) throw refused(refusal);
}

export function refused({ code, existing }: CommitRefusal): SluiceError {
  return new SluiceError(code, WHY[code](existing), {
    faults: [{ pointer: "/filename", detail: `conflicts with ${existing}` }],
    context: { existing },
  });
}
