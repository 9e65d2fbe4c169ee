/** What signed links can open beside stored objects. None of these can be taken for another, nor for an R2 key. */

/** The row, candidates and image of one filename. */
export interface ReviewResource {
  readonly project: string;
  readonly filename: string;
}

export function reviewResource({ project, filename }: ReviewResource): string {
  return `review/${project}/${filename}`;
}

/** Undefined for a link to something else. */
export function readReviewResource(resource: string): ReviewResource | undefined {
  const [, project, filename] = /^review\/([^/]+)\/([^/]+)$/.exec(resource) ?? [];
  return project === undefined || filename === undefined ? undefined : { project, filename };
}

/** All files of a project. */
export function archiveResource(project: string): string {
  return `archive/${project}`;
}

/** The project's name; undefined for a link to something else. */
export function readArchiveResource(resource: string): string | undefined {
  return /^archive\/([^/]+)$/.exec(resource)?.[1];
}

/** Whether a link opens a stored object of its own tenant. */
export function isObjectOf(tenant: string, resource: string): boolean {
  return resource.startsWith(`tenants/${tenant}/`);
}
