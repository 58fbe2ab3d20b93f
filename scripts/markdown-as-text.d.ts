export const markdownAsText: {
  readonly name: string;
  transform(text: string, id: string): string | null;
};
