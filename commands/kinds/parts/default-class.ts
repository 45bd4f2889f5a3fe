import { shellWord } from '../../../src/kube/kubectl.ts';
import { type KindAction, kindAction } from '../../../src/registry/kinds/kind-action.ts';

/** Makes a class the only default class, by annotation. Needs the fact `isDefault`. */
export function defaultClassAction(kindId: string, plural: string, annotation: string): KindAction {
  return kindAction({
    id: `${kindId}.setDefault`,
    title: 'Make default',
    heading: (subject) => `Make ${subject} the default`,
    description: 'Makes this the default class in place of the current one.',
    done: 'made the default',
    icon: 'check',
    prominent: true,
    single: true,
    endsPods: false,
    applies: ({ facts }) => facts['isDefault'] !== true,
    procedure: 'default-class',
    kubectl: ({ name }) =>
      `kubectl annotate --overwrite ${shellWord(`${plural}/${name}`)} ${annotation}=true`,
  });
}
