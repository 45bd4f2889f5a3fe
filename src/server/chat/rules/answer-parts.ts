import type { ChatPart } from '../../../contract/chat.ts';
import type { Evidence } from '../../../contract/diagnosis.ts';
import type { ToldPart } from '../answer-log.ts';
import { distinct, objectsOfEvidence, type ToldObject } from '../sight.ts';

type TextPart = Extract<ChatPart, { readonly type: 'text' }>;

/** Attributes of a sentence of the rules besides its text. */
interface Sentence
  extends Partial<Pick<TextPart, 'tone' | 'object' | 'next' | 'actions' | 'opens' | 'edits' | 'creates'>> {
  readonly evidence?: readonly Evidence[];
  /** Objects that it tells of besides those of its evidence. */
  readonly objects?: readonly ToldObject[];
}

/** Something to know about the answer, a whole sentence. */
export const notice = (text: string, objects: readonly ToldObject[] = []): ToldPart => ({
  part: { type: 'notice', text },
  objects,
});

/** Collects the parts of one answer of the rules; each piece of evidence gets an id of its own. */
export class AnswerParts {
  readonly #parts: ToldPart[] = [];
  #evidence = 0;

  /** The parts in their order. */
  get parts(): readonly ToldPart[] {
    return this.#parts;
  }

  /** Adds a sentence behind the evidence that it cites. */
  say(text: string, { evidence = [], objects = [], ...rest }: Sentence = {}): void {
    const cites = evidence.map((one) => {
      this.#evidence += 1;
      const id = `e${this.#evidence}`;
      this.#parts.push({ part: { type: 'evidence', id, evidence: one }, objects: objectsOfEvidence(one) });
      return id;
    });
    this.#parts.push({
      part: { type: 'text', by: 'rules', text, cites, ...rest },
      objects: distinct([...objects, ...evidence.flatMap(objectsOfEvidence)]),
    });
  }

  /** Adds a notice. */
  note(text: string, objects: readonly ToldObject[] = []): void {
    this.#parts.push(notice(text, objects));
  }
}
