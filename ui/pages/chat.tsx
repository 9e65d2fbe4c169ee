import { Layout } from "./layout.tsx";

export function ChatPage() {
  return (
    <Layout title="Chat" page="chat">
      <div class="chat">
        <div class="section-head">
          <h1>Chat</h1>
          <p class="muted">The searches run first, in view; then the model answers with what they found.</p>
        </div>
        <ol id="chat-log" class="chat-log" aria-label="Conversation"></ol>
        <p id="chat-empty" class="empty">
          Ask something, with or without tools.
        </p>
        <form id="chat-form" class="chat-form card" aria-label="Message">
          <div class="tools" role="group" aria-label="Search tools" id="chat-tools">
            <p class="muted">Loading the tools …</p>
          </div>
          <div class="field">
            <label class="visually-hidden" for="chat-message">
              Your message
            </label>
            <textarea id="chat-message" rows={2} maxlength={32000} placeholder="Ask something" required></textarea>
          </div>
          <div id="chat-drop" class="drop-zone slim">
            <p id="chat-drop-text">
              Drop or paste images, or{" "}
              <button type="button" id="chat-pick" class="button small">
                choose files
              </button>{" "}
              <span class="muted">Up to 5, 10 MB together.</span>
            </p>
            <input
              id="chat-file"
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              multiple
              aria-label="Images"
              hidden
            />
            <ul id="chat-images" class="thumbs" aria-label="Attached images"></ul>
          </div>
          <p id="chat-problem" class="notice bad" role="alert" hidden></p>
          <div class="actions">
            <button type="submit" id="chat-send" class="button primary">
              Send
            </button>
            <button type="button" id="chat-stop" class="button danger" hidden>
              Stop
            </button>
            <label class="inline-field" for="chat-search">
              Web search
              <select id="chat-search">
                <option value="auto">When the message asks for it</option>
                <option value="always">Always</option>
                <option value="never">Only the chosen tools</option>
              </select>
            </label>
          </div>
        </form>
      </div>
    </Layout>
  );
}
