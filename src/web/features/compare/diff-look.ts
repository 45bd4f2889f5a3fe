/** Two columns; narrow windows show one, as `data-unified` on `group/sides` asks for. */
export const columns = 'grid grid-cols-2 group-data-unified/sides:grid-cols-1 narrow:grid-cols-1';
const rightEdge = 'border-l border-border group-data-unified/sides:border-l-0 narrow:border-l-0';
const titleLook = [
  'flex min-w-0 items-center gap-1.5 px-3 py-1.5 font-semibold before:hidden before:text-text-2',
  'group-data-unified/sides:before:block narrow:before:block',
].join(' ');
/** In one column signs say which side is which. */
export const titleLooks = {
  left: `${titleLook} before:content-['-']`,
  right: `${titleLook} ${rightEdge} before:content-['+']`,
} as const;

const linesLook = 'pr-2 wrap-anywhere whitespace-pre-wrap [&_mark]:rounded-xs [&_mark]:text-inherit';
const hidesInOneColumn = 'group-data-unified/sides:hidden';
const missingSide = 'bg-[repeating-linear-gradient(115deg,var(--color-hairline)_0_1px,transparent_1px_6px)]';
export const linesLooks = {
  removed: `${linesLook} bg-diff-del [&_mark]:bg-diff-del-word`,
  added: `${linesLook} ${rightEdge} bg-diff-add [&_mark]:bg-diff-add-word`,
  same: linesLook,
  twin: `${linesLook} ${rightEdge} ${hidesInOneColumn} narrow:hidden`,
} as const;
/** A side without lines where the other one has some. */
export const noneLooks = {
  removed: `${missingSide} ${hidesInOneColumn}`,
  added: `${missingSide} ${rightEdge} ${hidesInOneColumn}`,
  same: '',
  twin: '',
} as const;

const numberLook = 'relative inline-block w-14 pr-6 text-right indent-0 text-text-3';
const signLook = `${numberLook} after:absolute after:right-2 after:text-text-2`;
export const numberLooks = {
  removed: `${signLook} after:content-['-']`,
  added: `${signLook} after:content-['+']`,
  same: numberLook,
  twin: numberLook,
} as const;

export const hunkLook = 'group/hunk relative focus-visible:-outline-offset-2';
export const currentHunkLook = `${hunkLook} shadow-[inset_2px_0_0_var(--color-focus)]`;
/** Over the end of the lines, while somebody is there. */
export const hunkToolsLook = [
  'flex min-w-0 flex-wrap items-center gap-1 px-1 py-0.5 font-sans',
  'can-hover:md:absolute can-hover:md:top-full can-hover:md:right-1 can-hover:md:z-1 can-hover:md:rounded-sm',
  'can-hover:md:border can-hover:md:border-border can-hover:md:bg-overlay can-hover:md:py-1 can-hover:md:opacity-0',
  'can-hover:md:group-focus-within/hunk:opacity-100 can-hover:md:group-hover/hunk:opacity-100',
].join(' ');
