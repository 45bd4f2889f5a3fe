import { logFilePath } from '../../../contract/log.ts';
import type { Toaster } from '../../../registry/commands/services.ts';
import { fillPath } from '../../../registry/path.ts';
import { saveFrom } from '../../kit/save.ts';
import type { LogTarget } from './stream.ts';

/** The address of a log as a file: all that the cluster has of it. */
export function fileAddress({ cluster, of, container, previous }: LogTarget): string {
  const request = { of, container, previous };
  const path = fillPath(logFilePath, { clusterId: cluster });
  return `${path}?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`;
}

/** Has the browser save a whole log, straight from the cluster. */
export function saveLog(target: LogTarget, name: string, toast: Toaster): void {
  const file = `${name}${target.container === '*' ? '' : `-${target.container}`}${target.previous ? '-previous' : ''}.log`;
  saveFrom(fileAddress(target), file);
  toast.info('The whole log is being downloaded.', { detail: file });
}
