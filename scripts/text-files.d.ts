export const TEXT_LOADERS: Readonly<Record<'.md' | '.py', 'text'>>;
export const textFiles: {
  readonly name: string;
  transform(text: string, id: string): string | null;
};
