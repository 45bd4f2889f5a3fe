import { type Command, plainTitle } from '../../../registry/commands/command.ts';
import type { ObjectRef, Subject, Target } from '../../../registry/commands/invocation.ts';
import { objectParams } from '../../../registry/commands/kind-commands.ts';
import { missingSteps, type PaletteStep } from '../../../registry/palette/steps.ts';

/** A chosen command whose missing arguments are being asked for. */
export interface Pending {
  readonly command: Command;
  readonly args: Readonly<Record<string, unknown>>;
  readonly subject: Subject;
  /** Of which kinds an object is asked for, where what was typed names some: `delete pod`. */
  readonly kinds?: readonly string[] | undefined;
  /** Answered so far, as people read it. */
  readonly answers: readonly string[];
}

/** The next argument to ask for; undefined if the command has all of them. */
export function nextStep(pending: Pending): PaletteStep | undefined {
  return missingSteps(pending.command, pending)[0];
}

/** How many answers it still needs. */
export function stepsLeft(pending: Pending): number {
  return missingSteps(pending.command, pending).length;
}

/** An object chosen for a step. */
export const isRef = (value: unknown): value is ObjectRef =>
  typeof value === 'object' && value !== null && 'cluster' in value && 'name' in value;

/** The run with one more answer. */
export function answered(pending: Pending, step: PaletteStep, value: unknown, label: string): Pending {
  const answers = [...pending.answers, label];
  switch (step.type) {
    case 'arg':
      return { ...pending, answers, args: { ...pending.args, [step.name]: value } };
    case 'subject':
      return isRef(value)
        ? { ...pending, answers, subject: { type: 'objects', refs: [value], from: 'args' } }
        : pending;
    case 'object':
      return isRef(value) && pending.command.type === 'route'
        ? { ...pending, answers, args: objectParams(pending.command.path, value) }
        : pending;
    case 'resource': {
      const named = value as Readonly<Record<string, unknown>>;
      return { ...pending, answers, args: { ...pending.args, ...named } };
    }
    default:
      return step satisfies never;
  }
}

/** The command with what it acts on: `Roll back checkout-api`. */
export function pendingTitle({ command, subject }: Pending): string {
  const title = (command.prompt ?? plainTitle(command)).replace(/…$/, '');
  if (subject.type !== 'objects' || command.type !== 'action' || command.actsOn === undefined) return title;
  const { refs } = subject;
  return refs.length === 1 ? `${title} ${refs[0].name}` : `${title} ${refs.length} objects`;
}

/** Where the last step leads: into the place of the command, or beside it. */
export type RunTarget = Extract<Target, 'here' | 'split-right'>;
