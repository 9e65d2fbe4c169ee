/** Immutable bytes in R2, named by tenant and SHA-256, so that new bytes never stand under old provenance. */

export interface StoredObject {
  readonly sha256: string;
  readonly bytes: number;
  readonly contentType: string;
}

export async function putObject(
  bucket: R2Bucket,
  tenant: string,
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<StoredObject> {
  const sha256 = await sha256Hex(bytes);
  await bucket.put(objectKey(tenant, sha256), bytes, { httpMetadata: { contentType } });
  return { sha256, bytes: bytes.byteLength, contentType };
}

export function objectKey(tenant: string, sha256: string): string {
  return `tenants/${tenant}/objects/${sha256}`;
}

/** Where the files of a project lie that are rendered from its state. */
export function projectFileKey(tenant: string, project: string, path: string): string {
  return `${projectsPrefix(tenant)}${project}/${path}`;
}

/** Behind it stand the names of a tenant's projects, each with a slash. */
export function projectsPrefix(tenant: string): string {
  return `tenants/${tenant}/projects/`;
}

export async function sha256Hex(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data)).toHex();
}
