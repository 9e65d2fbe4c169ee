/** An image where search engines can fetch it. */
export interface HostedImage {
  readonly url: string;
  /** Takes it down; never throws. */
  remove(): Promise<void>;
}
