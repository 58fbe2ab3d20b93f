/** Prompts and programs of other languages are bundled as text. */
declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*.py' {
  const text: string;
  export default text;
}

declare module '*.sql' {
  const text: string;
  export default text;
}
