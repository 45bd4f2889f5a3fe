import type { ContainerStatus } from '../../kube/core.ts';
import { at, str } from '../kit/values.ts';
import { isLimited, steady } from '../kit/behaviour.ts';
import type { ContainerPlan, Next, ReportEvent } from './container-plan.ts';

const maxBackoff = 300_000;

/** Whether the node contacts the registry, as with policy Always even for an image that it has. */
const asksRegistry = (plan: ContainerPlan) =>
  plan.container['imagePullPolicy'] === 'Always' ||
  (!plan.present && plan.container['imagePullPolicy'] !== 'Never');

/**
 * Time until a node has an image, ms: short when it is present, a little longer when the registry must confirm
 * it.
 */
export function pullTime(plan: ContainerPlan): number {
  const image = str(plan.container['image']);
  if (!asksRegistry(plan)) return 300 + steady(image, 'made') * 500;
  if (plan.present) return 250 + steady(image, 'asked') * 500;
  return 1_000 + steady(image, str(at(plan.pod, 'spec', 'nodeName'))) * 3_000;
}

/** Reports the start of a pull, if there is one. */
export function reportPulling(plan: ContainerPlan, reportEvent: ReportEvent): void {
  if (asksRegistry(plan)) reportEvent('Normal', 'Pulling', `Pulling image "${str(plan.container['image'])}"`);
}

/** Reports that an image is available, after `ms`. */
export function reportPulled(plan: ContainerPlan, ms: number, reportEvent: ReportEvent): void {
  const image = str(plan.container['image']);
  const presentText = `Container image "${image}" already present on machine and can be accessed by the pod`;
  reportEvent('Normal', 'Pulled', asksRegistry(plan) ? pulledText(image, ms) : presentText);
}

function pulledText(image: string, ms: number): string {
  const seconds = (ms / 1000).toFixed(3);
  const size = 18_000_000 + Math.floor(steady(image) * 180_000_000);
  return `Successfully pulled image "${image}" in ${seconds}s (${seconds}s including waiting). Image size: ${size} bytes.`;
}

/** The error of an image that can never be used; undefined for any other. */
export function refusedImage(
  plan: ContainerPlan,
): { reason: string; message: string; event: string } | undefined {
  const image = str(plan.container['image']);
  if (/[A-Z]/.test(image.replace(/:[^/:]*$/, '').replace(/@.*$/, ''))) {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format: repository name (${image.replace(/:[^/:]*$/, '')}) must be lowercase`;
    return { reason: 'InvalidImageName', message, event: 'InspectFailed' };
  }
  if (plan.container['imagePullPolicy'] === 'Never' && !plan.present) {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    return { reason: 'ErrImageNeverPull', message, event: 'ErrImageNeverPull' };
  }
  return undefined;
}

/** The states of a container whose image does not exist: the pull is retried with increasing back-off. */
export function failedPull(plan: ContainerPlan, base: ContainerStatus, reportEvent: ReportEvent): Next {
  const image = str(plan.container['image']);
  const reference = /^[^/]+\.[^/]+\//.test(image)
    ? image
    : `docker.io/${image.includes('/') ? '' : 'library/'}${image}`;
  const why = isLimited(image)
    ? `failed to pull and unpack image "${reference}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/${image.replace(/:[^/:]*$/, '')}/manifests/sha256:${'3134997e'.repeat(8)}: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`
    : `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`;
  const reason = base.state?.waiting?.reason;
  if (plan.status === undefined) {
    reportEvent('Normal', 'Pulling', `Pulling image "${image}"`);
    return { status: base, retryAfter: 1_500 };
  }
  if (reason === 'ErrImagePull') {
    reportEvent('Normal', 'BackOff', `Back-off pulling image "${image}"`);
    reportEvent('Warning', 'Failed', 'Error: ImagePullBackOff');
    const message = `Back-off pulling image "${image}": ErrImagePull: ${why}`;
    const age = plan.now - plan.started;
    return {
      status: { ...base, state: { waiting: { reason: 'ImagePullBackOff', message } } },
      retryAfter: Math.min(maxBackoff, Math.max(10_000, age)),
    };
  }
  if (reason === 'ImagePullBackOff') reportEvent('Normal', 'Pulling', `Pulling image "${image}"`);
  reportEvent('Warning', 'Failed', `Failed to pull image "${image}": ${why}`);
  reportEvent('Warning', 'Failed', 'Error: ErrImagePull');
  return {
    status: { ...base, state: { waiting: { reason: 'ErrImagePull', message: why } } },
    retryAfter: 12_000,
  };
}
