import type { Ref } from '../../contract/objects.ts';
import { declaredRef, existenceOf, type NamedObject, object, objectText, refOf } from './named-object.ts';
import { type Tool, tool, type ToolParts, type ToolResult } from './tool.ts';

/** A tool that tells of one object alone. */
interface ObjectTool extends Pick<Tool, 'name' | 'description'> {
  /** What it does with an object, which is given in words. */
  readonly about: (text: string) => string;
  /** @param ref the object as pages know it */
  readonly run: (
    named: NamedObject,
    parts: ToolParts,
    ref: Ref,
  ) => Promise<Pick<ToolResult, 'summary' | 'data'>>;
}

/** Declares a tool that tells of the object in its input alone: sentences may stand on that this exists. */
export const objectTool = ({ name, description, about, run }: ObjectTool): Tool =>
  tool({
    name,
    description,
    input: object,
    about: (named) => about(objectText(named)),
    names: (named) => [refOf(named)],
    async run(named, parts) {
      const ref = await declaredRef(parts, named);
      return { ...(await run(named, parts, ref)), objects: [ref], evidence: [existenceOf(ref)] };
    },
  });
