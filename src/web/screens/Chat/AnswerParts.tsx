import { LoaderCircle } from 'lucide-react';
import type { ChatPart, NumberedPart } from '../../../contract/chat.ts';
import type { Evidence } from '../../../contract/diagnosis.ts';
import { FindingHelp } from '../../features/actions/FindingHelp.tsx';
import { Badge } from '../../kit/Badge.tsx';
import { Glyph } from '../../kit/marks.tsx';
import {
  blocksOf,
  groupsOf,
  type ShownBlock,
  type ShownGroup,
  type ShownList,
  type ShownSentence,
} from './answer-blocks.ts';
import { type People, peopleIn } from './people.ts';
import { ProposalCard } from './ProposalCard.tsx';
import { ModelText } from './ModelText.tsx';
import { EvidenceButton } from './EvidenceButton.tsx';

interface AnswerPartsProps {
  readonly clusterId: number;
  readonly parts: readonly NumberedPart[];
  readonly isRunning: boolean;
}

/** The parts of an answer, each sentence with what it stands on. */
export function AnswerParts({ clusterId, parts, isRunning }: AnswerPartsProps) {
  const known: KnownParts = {
    clusterId,
    evidence: new Map(
      parts.flatMap(({ part }) => (part.type === 'evidence' ? [[part.id, part.evidence] as const] : [])),
    ),
    ended: new Map(
      parts.flatMap(({ part }) => (part.type === 'tool.done' ? [[part.id, part] as const] : [])),
    ),
    people: peopleIn(parts),
    taken: new Set(parts.flatMap(({ part }) => (part.type === 'decision' ? [part.proposal] : []))),
  };
  return (
    <div className="flex min-w-0 flex-col gap-2" aria-busy={isRunning || undefined}>
      {groupsOf(blocksOf(parts)).map((group) => (
        <AnswerGroup key={group.blocks[0]?.number} group={group} known={known} />
      ))}
      {isRunning && (
        <span className="flex items-center gap-1.5 text-xs text-text-3">
          <LoaderCircle className="animate-spin" size={13} aria-hidden="true" /> Answering…
        </span>
      )}
    </div>
  );
}

/** What blocks of one answer refer to. */
interface KnownParts {
  readonly clusterId: number;
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly ended: ReadonlyMap<string, Extract<ChatPart, { readonly type: 'tool.done' }>>;
  /** Ids of the proposals that were taken up. */
  readonly taken: ReadonlySet<string>;
  readonly people: People;
}

/** Blocks in a row by one author: sentences of a model look different from those of the rules, also to a screen reader. */
function AnswerGroup({
  group: { author, blocks },
  known,
}: {
  readonly group: ShownGroup;
  readonly known: KnownParts;
}) {
  const content = blocks.map((block) => <AnswerBlock key={block.number} block={block} known={known} />);
  switch (author) {
    case 'model':
      return (
        <div
          role="group"
          aria-label="Written by the model"
          className="flex min-w-0 flex-col gap-2 border-l-2 border-control pl-2.5"
        >
          <p className="text-xs text-text-3">Written by the model</p>
          {content}
        </div>
      );
    case 'rules':
      return (
        <div role="group" aria-label="Found by the rules" className="flex min-w-0 flex-col gap-2">
          {content}
        </div>
      );
    case 'tools':
      return blocks.length === 1 ? (
        content
      ) : (
        <details className="min-w-0">
          <summary className="cursor-pointer text-xs text-text-3 narrow:min-h-9 narrow:content-center">
            {blocks.length} lookups
          </summary>
          <div className="flex min-w-0 flex-col gap-1 pl-3">{content}</div>
        </details>
      );
    case 'console':
      return content;
    default:
      return author satisfies never;
  }
}

interface AnswerBlockProps {
  readonly block: ShownBlock;
  readonly known: KnownParts;
}

function AnswerBlock({ block, known }: AnswerBlockProps) {
  switch (block.type) {
    case 'sentence':
      return <Sentence sentence={block} known={known} />;
    case 'list':
      return <AnswerList list={block} known={known} />;
    case 'part':
      return <AnswerPart part={block.part} known={known} />;
    default:
      return block satisfies never;
  }
}

function AnswerList({ list, known }: { readonly list: ShownList; readonly known: KnownParts }) {
  const items = list.items.map((content) => (
    <li key={content[0]?.number} className="pl-0.5 [&>*+*]:mt-1.5">
      {content.map((block) => (
        <AnswerBlock key={block.number} block={block} known={known} />
      ))}
    </li>
  ));
  return list.isOrdered ? (
    <ol className="flex min-w-0 list-decimal flex-col gap-1.5 pl-5" start={list.start}>
      {items}
    </ol>
  ) : (
    <ul className="flex min-w-0 list-disc flex-col gap-1.5 pl-5">{items}</ul>
  );
}

interface AnswerPartProps {
  readonly part: Extract<ShownBlock, { readonly type: 'part' }>['part'];
  readonly known: KnownParts;
}

function AnswerPart({ part, known: { clusterId, ended, taken } }: AnswerPartProps) {
  switch (part.type) {
    case 'proposal':
      return <ProposalCard clusterId={clusterId} proposal={part} isTaken={taken.has(part.id)} />;
    case 'tool.started':
      return (
        <p className="text-xs text-text-3">
          {part.about}: {ended.get(part.id)?.summary ?? '…'}
        </p>
      );
    case 'notice':
      return <p className="text-xs text-text-2 wrap-anywhere">{part.text}</p>;
    case 'usage':
      return (
        <p className="text-xs text-text-3">
          {part.read + part.written} tokens: {part.read} read, {part.written} written.
        </p>
      );
    case 'end':
      return part.text === null ? null : (
        <p className="flex gap-1.5 text-text-2 *:[svg]:mt-0.5">
          <Glyph tone={part.state === 'failed' ? 'bad' : 'warn'} size={13} />
          {part.text}
        </p>
      );
    // These show with others: evidence with its sentences, the end of a tool with its beginning.
    case 'evidence':
    case 'tool.done':
    case 'decision':
    case 'person':
      return null;
    default:
      return part satisfies never;
  }
}

interface SentenceProps {
  readonly sentence: ShownSentence;
  readonly known: KnownParts;
}

function Sentence({ sentence: { part, text }, known: { clusterId, evidence, people } }: SentenceProps) {
  const { tone, cites, by, unproven = [] } = part;
  const cited = cites.flatMap((id) => {
    const found = evidence.get(id);
    return found === undefined ? [] : [[id, found] as const];
  });
  return (
    <div className="min-w-0 [&>*+*]:mt-1.5">
      {by === 'model' ? (
        <div className="min-w-0 wrap-anywhere [&>p]:inline">
          <ModelText text={text} people={people} />
          {cited.length === 0 && <Badge className="ml-1.5">no evidence</Badge>}
          {unproven.length > 0 && (
            <Badge className="ml-1.5" tone="warn">
              not in its evidence: {unproven.join(', ')}
            </Badge>
          )}
        </div>
      ) : (
        <p className="flex min-w-0 gap-1.5 *:[svg]:mt-0.5">
          {tone !== undefined && <Glyph tone={tone} size={13} />}
          <span className="min-w-0 wrap-anywhere whitespace-pre-line">{text}</span>
        </p>
      )}
      {cited.length > 0 && (
        <ul className="flex min-w-0 flex-wrap gap-1.5" aria-label="Evidence">
          {cited.map(([id, one]) => (
            <li key={id} className="max-w-full min-w-0">
              <EvidenceButton clusterId={clusterId} evidence={one} />
            </li>
          ))}
        </ul>
      )}
      <FindingHelp clusterId={clusterId} finding={part} isBeside />
    </div>
  );
}
