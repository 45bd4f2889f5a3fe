import type { Pod } from '../../../kube/core.ts';
import type { KubeEvent } from '../../../kube/infrastructure.ts';
import { registryHost } from '../../../kube/image-page.ts';
import { absent, event, field, rule, type Clue } from '../rule.ts';
import { shortened } from '../shortened.ts';
import { wantedPullSecret } from '../../objects/wanted.ts';
import { namedObject, oneOf, warningsOf, type World } from '../world.ts';
import { containerOf, troubleOf, type NamedContainer, waitingProof, workloadRemedy } from './pod-parts.ts';

/** A container whose image is not there, and all that the kubelet says of it. */
interface ImageTrouble extends NamedContainer {
  readonly image: string;
  readonly reason: string;
  readonly said: string;
  readonly pull: KubeEvent | undefined;
}

function imageTrouble(pod: Pod, world: World): ImageTrouble | undefined {
  const trouble = troubleOf(pod, world);
  if (trouble?.cause !== 'image') return undefined;
  const found = containerOf(pod, trouble.container);
  const image = found.container?.image ?? found.status?.image ?? '?';
  // A back-off of older kubelets does not repeat why the pull failed: the event does.
  const pull = warningsOf(world, pod).find(
    ({ reason, message = '' }) => reason === 'Failed' && message.includes(image) && message.includes('pull'),
  );
  const { reason = '', message = '' } = found.status?.state?.waiting ?? {};
  // The name of an image may have any word in it, as `denied` or `401`.
  const said = `${message}\n${pull?.message ?? ''}`.replaceAll(image, '');
  return { ...found, image, reason, said, pull };
}

/** The first pattern that a message fits decides: registries say "not found" also where they deny. */
const causes = {
  space: /no space left on device|disk quota exceeded/i,
  limited: /toomanyrequests|\b429\b|Too Many Requests|rate (?:limit|exceeded)/i,
  name: /InvalidImageName|invalid reference format|couldn't parse image/,
  denied:
    /unauthorized|authentication required|denied|may require 'docker login'|no basic auth|\b401\b|\b403\b|Forbidden|insufficient_scope/i,
  platform: /no match(?:ing manifest)? for (?:linux|windows|platform)/i,
  missing: /not found|manifest unknown|does not exist|\b404\b/i,
  certificate: /x509|certificate/i,
  plain: /server gave HTTP response to HTTPS client/,
  unnamed: /no such host/i,
  unreachable:
    /i\/o timeout|connection refused|deadline exceeded|TLS handshake|no route to host|dial tcp|EOF/i,
} as const;

function causeOf({ reason, said }: ImageTrouble): keyof typeof causes | 'never' | 'other' {
  if (reason === 'ErrImageNeverPull') return 'never';
  const names = Object.keys(causes) as readonly (keyof typeof causes)[];
  return names.find((name) => causes[name].test(`${reason} ${said}`)) ?? 'other';
}

const imageRule = (
  id: string,
  cause: ReturnType<typeof causeOf>,
  say: (trouble: ImageTrouble, pod: Pod, world: World) => Clue | undefined,
) =>
  rule<Pod>({
    id: `pod.${id}`,
    kind: 'Pod',
    tone: 'bad',
    sort: 'cause',
    find(pod, world) {
      const trouble = imageTrouble(pod, world);
      if (trouble === undefined || causeOf(trouble) !== cause) return undefined;
      const clue = say(trouble, pod, world);
      // Whatever keeps an image away, another one may be pulled.
      return (
        clue && { ...clue, actions: [...(clue.actions ?? []), ...workloadRemedy(pod, world, 'setImage')] }
      );
    },
  });

const proofs = (trouble: ImageTrouble, pod: Pod) => [
  field(pod, `${trouble.specPath}.image`),
  waitingProof(pod, trouble),
  ...(trouble.pull === undefined ? [] : [event(pod, trouble.pull)]),
];

/** The first pull secret of a pod that does not exist. */
function missingPullSecret(pod: Pod, world: World): string | undefined {
  const { namespace } = pod.metadata ?? {};
  return (pod.spec?.imagePullSecrets ?? [])
    .flatMap(({ name }) => name ?? [])
    .find((name) => oneOf(world, 'Secret', name, namespace) === null);
}

/** The runtime's reason for a pull that fails, without its repetitions; empty where it gives none. */
const pullWords = (said: string): string =>
  said
    .trim()
    .split('\n')
    .map((line) =>
      line.replace(/^Back-off pulling image ""(?:: ErrImagePull: )?|^Failed to pull image "": /, '').trim(),
    )
    .find((line) => line !== '') ?? '';

/** Why images cannot be pulled. */
export const imageRules = [
  imageRule('image-space', 'space', (trouble, pod) => ({
    sentence: `Node ${pod.spec?.nodeName ?? ''} has no disk space left for the image ${trouble.image} of container ${trouble.name}.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
  imageRule('image-failed', 'other', (trouble, pod, world) => {
    const words = pullWords(trouble.said).replace(/^Failed to inspect image "": /, '');
    // Nothing is known yet but that it failed.
    if (words === '') return undefined;
    return {
      sentence: `The image of container ${trouble.name} cannot be pulled: ${shortened(words, 130).replace(/\.$/, '')}.`,
      evidence: proofs(trouble, pod),
      actions: workloadRemedy(pod, world, 'rollback'),
    };
  }),
  imageRule('image-missing', 'missing', (trouble, pod, world) => ({
    sentence: `The image ${trouble.image} of container ${trouble.name} does not exist in its registry.`,
    evidence: proofs(trouble, pod),
    actions: workloadRemedy(pod, world, 'rollback'),
  })),
  imageRule('image-denied', 'denied', (trouble, pod, world) => {
    const secret = missingPullSecret(pod, world);
    const at = (pod.spec?.imagePullSecrets ?? []).findIndex(({ name }) => name === secret);
    const { namespace } = pod.metadata ?? {};
    if (secret !== undefined)
      return {
        sentence: `The registry of ${trouble.image} denies access: the pull secret ${secret} that the pod names does not exist.`,
        evidence: [
          ...proofs(trouble, pod),
          field(pod, `spec.imagePullSecrets[${at}].name`),
          absent(namedObject('Secret', secret, namespace)),
        ],
        wanted: [wantedPullSecret(secret, namespace, trouble.image)],
      };
    const hasSecrets = (pod.spec?.imagePullSecrets ?? []).length > 0;
    return {
      // An account of the registry is entered into the Secret that the pod names.
      edits: (pod.spec?.imagePullSecrets ?? [])
        .flatMap(({ name }) => name ?? [])
        .map((name) => namedObject('Secret', name, namespace)),
      sentence: hasSecrets
        ? `The registry of ${trouble.image} denies access with the pull secrets of the pod.`
        : `The registry of ${trouble.image} denies access: the pod names no pull secret.`,
      evidence: [...proofs(trouble, pod), field(pod, 'spec.imagePullSecrets')],
      actions: workloadRemedy(pod, world, 'rollback'),
    };
  }),
  imageRule('image-name', 'name', (trouble, pod, world) => ({
    sentence: `The image name “${trouble.image}” of container ${trouble.name} is not valid.`,
    evidence: proofs(trouble, pod),
    actions: workloadRemedy(pod, world, 'rollback'),
  })),
  imageRule('image-never', 'never', (trouble, pod) => ({
    sentence: `The image ${trouble.image} of container ${trouble.name} is not on the node, and its pull policy Never forbids pulling it.`,
    evidence: [...proofs(trouble, pod), field(pod, `${trouble.specPath}.imagePullPolicy`)],
  })),
  imageRule('image-platform', 'platform', (trouble, pod) => ({
    sentence: `The image ${trouble.image} of container ${trouble.name} is not built for the CPU architecture of node ${pod.spec?.nodeName ?? ''}. Build it for that architecture too, or select other nodes.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
  imageRule('image-limited', 'limited', (trouble, pod) => ({
    sentence: `The registry refuses image ${trouble.image} of container ${trouble.name} for now: its pull rate limit is reached. The kubelet keeps trying.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.imagePullSecrets')],
  })),
  imageRule('registry-certificate', 'certificate', (trouble, pod) => ({
    sentence: `The image of container ${trouble.name} is not pulled: the node does not trust the certificate of the registry of ${trouble.image}${/unknown authority/.test(trouble.said) ? ': its issuer is unknown there' : /expired/.test(trouble.said) ? ': it has expired' : /valid for/.test(trouble.said) ? ': it is for another host' : ''} (x509).`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
  imageRule('registry-plain', 'plain', (trouble, pod) => ({
    sentence: `The registry of ${trouble.image}, the image of container ${trouble.name}, serves plain HTTP, but the node connects with HTTPS.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
  imageRule('registry-name', 'unnamed', (trouble, pod) => ({
    sentence: `The node cannot resolve ${registryHost(trouble.image) ?? 'docker.io'}, the registry of image ${trouble.image} of container ${trouble.name}.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
  imageRule('registry-unreachable', 'unreachable', (trouble, pod) => ({
    sentence: `The node cannot reach the registry of ${trouble.image}, the image of container ${trouble.name}.`,
    evidence: [...proofs(trouble, pod), field(pod, 'spec.nodeName')],
  })),
];
