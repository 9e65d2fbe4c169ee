/**
 * A value for every setting of a provider. The strings are distinctive, so that a test can search any output for them.
 */
export const TEST_KEYS: Record<string, string> = {
  SERPAPI_API_KEY: "test-serpapi-key-5f1c",
  GOOGLE_SEARCH_API_KEY_1: "test-google-key-one-83ad",
  GOOGLE_SEARCH_API_KEY_2: "test-google-key-two-27be",
  GOOGLE_CSE_ID: "test-cse-id-90d4",
  SERPER_API_KEY: "test-serper-key-b6e2",
  BRAVE_API_KEY: "test-brave-key-41c7",
  SEARXNG_URL: "https://searx.example",
  PEXELS_API_KEY: "test-pexels-key-d08f",
  PIXABAY_API_KEY: "test-pixabay-key-7a93",
  SAUCENAO_API_KEY: "test-saucenao-key-c90b",
  GITHUB_TOKEN: "test-github-token-2ef6",
  IMGBB_API_KEY: "test-imgbb-key-68d5",
  GEMINI_API_KEY: "test-gemini-key-e3b9",
  TAVILY_API_KEY: "test-tavily-key-c52a",
  CHAT_BASE_URL: "https://chat.example/v1",
  CHAT_API_KEY: "test-chat-key-6c0a",
  CHAT_MODEL: "test-chat-model",
};
