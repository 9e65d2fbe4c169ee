import { h } from "./dom.ts";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

/** Elements for a text from a model or a tool. */
export function markdownElements(text: string): HTMLElement[] {
  return parseMarkdown(text).map(blockElement);
}

function blockElement(block: Block): HTMLElement {
  switch (block.kind) {
    case "paragraph":
      return h("p", {}, inlineNodes(block.content));
    case "heading":
      return h("p", { class: "answer-heading" }, inlineNodes(block.content));
    case "list": {
      const items = block.items.map((item) => h("li", {}, inlineNodes(item)));
      return block.ordered ? h("ol", {}, items) : h("ul", {}, items);
    }
    case "code":
      return h("pre", { tabindex: 0 }, h("code", {}, block.text));
    case "rule":
      return h("hr");
  }
}

function inlineNodes(content: readonly Inline[]): (Node | string)[] {
  return content.map((part) => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "code":
        return h("code", {}, part.text);
      case "break":
        return h("br");
      case "strong":
        return h("strong", {}, inlineNodes(part.content));
      case "emphasis":
        return h("em", {}, inlineNodes(part.content));
      case "link":
        return outLink(part.url, inlineNodes(part.content));
    }
  });
}

/** A link out of this site; `url` has been judged by `webUrl`. */
export function outLink(url: string, label: readonly (Node | string)[] | string): HTMLAnchorElement {
  return h("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, label);
}
