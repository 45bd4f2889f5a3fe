import { Fragment } from 'react';

/** A path, an image or a selector: where it is too long for a line, it goes on after one of its marks. */
export function Breakable({ text }: { readonly text: string }) {
  return text.split(/(?<=[/:=@,])/).map((part, index) => (
    <Fragment key={`${index}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
