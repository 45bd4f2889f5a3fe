import { productTexts } from './shown-texts.ts';

/** `npm run sentences`: every text that a user can meet, as `file:line  text`. Words after it filter the list. */
const [, , ...words] = process.argv;
for (const { file, line, text, isShown } of productTexts()) {
  const entry = `${file}:${line}  ${text}`;
  if (isShown && words.every((word) => entry.includes(word))) console.log(entry);
}
