import type { ChatPart, NumberedPart } from '../../../contract/chat.ts';

type TextPart = Extract<ChatPart, { readonly type: 'text' }>;

/** A sentence of an answer, a line or a block of code. */
export interface ShownSentence {
  readonly type: 'sentence';
  readonly number: number;
  readonly part: TextPart;
  /** Without its indentation, and without the mark of the item that it begins. */
  readonly text: string;
}

/** A list that a model wrote, item by item. */
export interface ShownList {
  readonly type: 'list';
  /** Number of its first part. */
  readonly number: number;
  readonly isOrdered: boolean;
  /** Number of the first item, where it is ordered. */
  readonly start: number;
  readonly items: readonly (readonly ShownContent[])[];
}

export type ShownContent = ShownSentence | ShownList;

/** What an answer shows, in its order. */
export type ShownBlock =
  | ShownContent
  | { readonly type: 'part'; readonly number: number; readonly part: Exclude<ChatPart, TextPart> };

/** A list to which items may be added. */
interface OpenList {
  readonly indent: number;
  /** What ends the number of its items, or stands for it: another mark begins another list. */
  readonly mark: string;
  readonly list: { readonly items: ShownContent[][] };
}

/** Lists within one another; what is deeper is in the last one. */
const maxDepth = 6;
/** Indentation from which on something belongs to an item, columns. */
const itemIndent = 2;
const itemMark = /^[ \t]*(?:([*+-])|(\d{1,9})([.)]))[ \t]+(?=\S)/;

/** The blocks of an answer: what a model wrote as items of one list is one list, with its numbering. */
export function blocksOf(parts: readonly NumberedPart[]): ShownBlock[] {
  const blocks: ShownBlock[] = [];
  let open: OpenList[] = [];
  for (const { number, part } of parts) {
    // These show with others, and part nothing.
    if (isShownWithOthers(part)) continue;
    if (part.type !== 'text') {
      open = [];
      blocks.push({ type: 'part', number, part });
      continue;
    }
    const found = part.by === 'model' && part.continues !== true ? itemMark.exec(part.text) : null;
    const sentence: ShownSentence = {
      type: 'sentence',
      number,
      part,
      text: found === null ? dedent(part.text) : itemText(part.text, found[0].length),
    };
    if (found === null) {
      open = part.by === 'model' ? listsAround(open, part) : [];
      (open.at(-1)?.list.items.at(-1) ?? blocks).push(sentence);
      continue;
    }
    const [, bullet, digits, delimiter] = found;
    const mark = bullet ?? delimiter ?? '';
    const indent = indentOf(part.text);
    open = listsBeside(open, indent);
    const last = open.at(-1);
    const isNested = last !== undefined && indent >= last.indent + itemIndent && open.length < maxDepth;
    if (last !== undefined && !isNested && last.mark === mark) {
      last.list.items.push([sentence]);
      continue;
    }
    if (last !== undefined && !isNested) open = open.slice(0, -1);
    const items = [[sentence]];
    const list: ShownList = {
      type: 'list',
      number,
      isOrdered: bullet === undefined,
      start: Number(digits ?? 1),
      items,
    };
    (open.at(-1)?.list.items.at(-1) ?? blocks).push(list);
    open = [...open, { indent, mark, list: { items } }];
  }
  return blocks;
}

/** Blocks in a row by one author. */
export interface ShownGroup {
  readonly author: 'model' | 'rules' | 'tools' | 'console';
  readonly blocks: readonly ShownBlock[];
}

function authorOf(block: ShownBlock): ShownGroup['author'] {
  // Models alone write lists.
  if (block.type === 'list') return 'model';
  if (block.type === 'sentence') return block.part.by;
  return block.part.type === 'tool.started' ? 'tools' : 'console';
}

/** Blocks in groups by their author, in their order. */
export function groupsOf(blocks: readonly ShownBlock[]): readonly ShownGroup[] {
  const groups: { author: ShownGroup['author']; blocks: ShownBlock[] }[] = [];
  for (const block of blocks) {
    const author = authorOf(block);
    const last = groups.at(-1);
    if (last?.author === author) last.blocks.push(block);
    else groups.push({ author, blocks: [block] });
  }
  return groups;
}

/** The text of an item without its mark; a block of code on that line has its further lines below itself. */
function itemText(text: string, markLength: number): string {
  const own = text.slice(markLength);
  return /^(?:```|~~~)/.test(own)
    ? own.replaceAll(new RegExp(`^[ \\t]{1,${markLength}}`, 'gm'), '')
    : dedent(own);
}

/** Whether a part shows with others: evidence with its sentences, the end of a tool with its beginning. */
const isShownWithOthers = ({ type }: ChatPart): boolean =>
  type === 'evidence' || type === 'tool.done' || type === 'decision' || type === 'person';

/** The lists that go on where an item has this indentation: in the last one, or beside its items. */
function listsBeside(open: readonly OpenList[], indent: number): OpenList[] {
  const end = open.findLastIndex((one) => indent > one.indent - itemIndent);
  return open.slice(0, end + 1);
}

/** The lists to whose last item a sentence belongs that begins none. */
function listsAround(open: readonly OpenList[], { continues, text }: TextPart): OpenList[] {
  if (continues === true) return [...open];
  const indent = indentOf(text);
  return open.slice(0, open.findLastIndex((one) => indent >= one.indent + itemIndent) + 1);
}

/** Columns before the first character; a tab counts as four. */
const indentOf = (text: string): number => (/^[ \t]*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length;

/** A text whose lines begin as far to the left as its first one. */
export function dedent(text: string): string {
  const indent = /^[ \t]*/.exec(text)?.[0].length ?? 0;
  return indent === 0 ? text : text.replaceAll(new RegExp(`^[ \\t]{1,${indent}}`, 'gm'), '');
}
