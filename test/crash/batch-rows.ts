/** What the simulator's catalogue has pictures of; the last finds nothing. */
export const QUERIES = [
  "airplane from above",
  "french alpine landscape",
  "cat",
  "boats in Nagasaki",
  "black canyon",
  "allium flower",
  "dust bowl house",
  "march pastoral",
  "airplane from above",
  "zzqqxxyy",
];

export function pendingRows(count: number): { filename: string; query: string; status: "Pending" }[] {
  return Array.from({ length: count }, (_, index) => ({
    filename: `row-${String(index).padStart(4, "0")}.jpg`,
    query: QUERIES[index % QUERIES.length]!,
    status: "Pending",
  }));
}
