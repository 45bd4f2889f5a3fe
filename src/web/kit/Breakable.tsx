import { Fragment } from 'react';

/**
 * A path, an image, a selector or a kind: where it is too long for a line, it goes on after one of its marks or at a
 * capital within a word.
 */
export function Breakable({ text }: { readonly text: string }) {
  return text.split(/(?<=[/:=@,])|(?<=[a-z])(?=[A-Z])/).map((part, index) => (
    <Fragment key={`${index}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
