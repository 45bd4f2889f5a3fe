import type { Evidence } from '../../contract/diagnosis.ts';
import { Problem } from '../../contract/problem.ts';
import type { ToldPart } from './answer-log.ts';
import { redactText } from '../kit/redact-text.ts';
import { textOfEvidence } from './citation-check.ts';
import { fence, givesOrders, noticeOfOrders } from './orders.ts';
import type { ClusterText } from './proposal-check.ts';
import { evidenceWithout, evidenceWithoutSecrets } from './redaction.ts';
import { distinct, objectsOfEvidence, type ToldObject, ToldSight } from './sight.ts';
import type { StandIns } from './stand-ins.ts';
import { citationRoom, fitText, resultLimit, type Tool, type ToolParts } from './tool.ts';
import { tools } from './tools.ts';

/** Tool calls of one answer. */
export const callLimit = 20;

interface RunnerParts extends ToolParts {
  readonly people: StandIns;
  readonly tell: (parts: readonly ToldPart[]) => Promise<void>;
}

/** Runs the tools of one answer: bounded, redacted, fenced, each with what sentences may stand on. */
export class ToolRunner {
  readonly #parts: RunnerParts;
  readonly #evidence = new Map<string, Evidence>();
  /** The text that was read with each piece of evidence, by its id. */
  readonly #sources = new Map<string, string>();
  readonly #texts: ClusterText[] = [];
  readonly #made = new Set<string>();
  #calls = 0;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** The evidence with an id that was given out; undefined for any other. */
  evidence(id: string): Evidence | undefined {
    return this.#evidence.get(id);
  }

  /** The content of evidence with these ids, and the text that was read with it. */
  sourcesOf(ids: readonly string[]): readonly string[] {
    return ids.flatMap((id) => {
      const evidence = this.#evidence.get(id);
      return evidence === undefined ? [] : [textOfEvidence(evidence), this.#sources.get(id) ?? ''];
    });
  }

  /** Texts of the cluster that the model was told. */
  get texts(): readonly ClusterText[] {
    return this.#texts;
  }

  /** Keeps a text of the cluster that the model is told. @param about where it is from, in a few words */
  note(about: string, text: string): void {
    this.#texts.push({ about, text, hasOrders: givesOrders(text) });
  }

  /** Knows evidence that was told already by its id, as that of the rules. @param sentence that stands on it */
  adopt(id: string, evidence: Evidence, sentence = ''): void {
    this.#evidence.set(id, evidenceWithoutSecrets(evidence));
    this.#sources.set(id, sentence);
  }

  /** Gives evidence an id, tells it, and gives the id. @param source what was read with it */
  async cite(evidence: readonly Evidence[], source = ''): Promise<readonly string[]> {
    const parts: ToldPart[] = [];
    const ids = evidence.map((one) => {
      const id = `e${this.#evidence.size + 1}`;
      const kept = evidenceWithoutSecrets(one);
      this.#evidence.set(id, kept);
      this.#sources.set(id, source);
      parts.push({ part: { type: 'evidence', id, evidence: kept }, objects: objectsOfEvidence(one) });
      return id;
    });
    await this.#parts.tell(parts);
    return ids;
  }

  /**
   * Runs a tool and gives what the model is told, a refusal as a sentence among it. Throws what ends the answer: errors
   * that are no Problem, and the signal's reason.
   */
  async run(name: string, input: unknown): Promise<string> {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return `There is no tool ${name.slice(0, 40)}.`;
    const read = tool.input.safeParse(input);
    if (!read.success) return `The input of ${name} is not valid: ${read.error.issues[0]?.message ?? ''}`;
    const key = JSON.stringify([name, read.data]);
    if (this.#made.has(key)) return 'This was asked before in this answer: its result has not changed.';
    this.#calls += 1;
    if (this.#calls > callLimit) return `No more than ${callLimit} tools run for one answer. Answer now.`;
    this.#made.add(key);
    return await this.#runOnce(tool, read.data);
  }

  async #runOnce(tool: Tool, input: unknown): Promise<string> {
    const { tell, people, withheld } = this.#parts;
    const id = `t${this.#calls}`;
    const named = await this.#named(tool, input);
    if (named === undefined) {
      // A name alone is told to nobody who may not view what has it; the grants alone say so, nothing was read.
      const summary = 'You may not view the objects that this asks for.';
      await tell([
        {
          part: { type: 'tool.started', id, tool: tool.name, about: tool.name },
          objects: [],
        },
        { part: { type: 'tool.done', id, ok: false, summary }, objects: [] },
      ]);
      return summary;
    }
    const about = redactText(tool.about(input));
    await tell([
      {
        part: { type: 'tool.started', id, tool: tool.name, about },
        objects: named,
      },
    ]);
    try {
      const { summary, data, objects, evidence } = await tool.run(input, this.#parts);
      const seen = distinct([...named, ...objects, ...evidence.flatMap(objectsOfEvidence)]);
      const text = people.masked(redactText(typeof data === 'string' ? data : JSON.stringify(data)));
      const names = evidence.map((one) =>
        people.masked(redactText(nameOf(evidenceWithout(evidenceWithoutSecrets(one), withheld)))),
      );
      this.note(about, [text, ...names].join('\n'));
      await tell([
        ...people.untold([text, ...names].join('\n'), seen),
        { part: { type: 'tool.done', id, ok: true, summary }, objects: seen },
        ...noticeOfOrders([text, ...names], about, seen),
      ]);
      const ids = await this.cite(evidence, text);
      const cited = names.map((one, index) => `${ids[index]}: ${one}`).join('\n');
      // Names and values of the cluster are data as well.
      const citable = cited === '' ? '' : `\nCite as [id]:\n${fence(fitText(cited, citationRoom))}`;
      return fence(fitText(text, resultLimit - 300 - Buffer.byteLength(citable))) + citable;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const summary = redactText(error.title);
      const text = people.masked(summary);
      this.note(about, text);
      await tell([
        ...people.untold(text, named),
        { part: { type: 'tool.done', id, ok: false, summary }, objects: named },
        ...noticeOfOrders([summary], about, named),
      ]);
      return fence(fitText(text));
    }
  }

  /** What the input names, as the cluster calls it; undefined where the person may not view all of it. */
  async #named(tool: Tool, input: unknown): Promise<readonly ToldObject[] | undefined> {
    const { reach, findKind } = this.#parts;
    const named: ToldObject[] = [];
    for (const object of tool.names(input)) {
      const kind = await findKind(object.kind).catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) return undefined;
        throw error;
      });
      // There is nothing of a kind that the cluster does not have, but where it was looked for is there.
      if (kind !== undefined) named.push({ ...object, kind: kind.id });
      else if (object.namespace !== undefined) named.push({ kind: 'namespace', name: object.namespace });
    }
    const refusal = await new ToldSight(await reach(), findKind).refusal(named);
    return refusal === undefined ? distinct(named) : undefined;
  }
}

/** Evidence in a few words, by which a model chooses what to cite. */
function nameOf(evidence: Evidence): string {
  const { kind, namespace, name } = evidence.ref;
  const object = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  switch (evidence.type) {
    case 'field':
      return `${object} ${evidence.path} = ${evidence.value ?? 'not set'}`;
    case 'event':
      return `${object} event ${evidence.reason}`;
    case 'log':
      return `${object} log of ${evidence.container}`;
    case 'object':
      return object;
    default: {
      const unknown: never = evidence;
      return unknown;
    }
  }
}
