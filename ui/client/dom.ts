/** Builds elements from data. Text only ever becomes text: there is no way to give markup. */

export type Child = Node | string | number | false | undefined | null | readonly Child[];

type Attributes = Readonly<
  Record<string, string | number | boolean | undefined | ((event: Event) => unknown)> & { class?: string }
>;

/** An element with attributes, listeners (functions, by event name) and children. `false` and undefined set nothing. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child): void {
  if (children === false || children === undefined || children === null) return;
  if (Array.isArray(children)) for (const child of children as readonly Child[]) append(parent, child);
  else parent.appendChild(children instanceof Node ? children : document.createTextNode(String(children)));
}

export function replace(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

type ElementClass<T extends HTMLElement> = new () => T;

/** The element of an id that the page's shell has. */
export function byId(id: string): HTMLElement;
export function byId<T extends HTMLElement>(id: string, type: ElementClass<T>): T;
export function byId(id: string, type: ElementClass<HTMLElement> = HTMLElement): HTMLElement {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The page has no #${id}.`);
  return element;
}

/** Says something to whoever cannot see the page change. */
export function announce(text: string): void {
  byId("announcer").textContent = text;
}
