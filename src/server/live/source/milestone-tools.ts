import type { MilestoneTools } from '../../../registry/kinds/milestone.ts';
import { decodeData, readCertificates } from '../../clusters/certificates.ts';

/** Longest text that is looked into, characters. */
const limit = 256 * 1024;

/** Epoch seconds. */
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** What kinds read milestones with. Nothing of a certificate but its times leaves here. */
export const milestoneTools: MilestoneTools = {
  certificateTimes(base64) {
    if (typeof base64 !== 'string' || base64.length > limit) return undefined;
    const first = readCertificates(decodeData(base64) ?? '')?.first;
    if (first === undefined) return undefined;
    const [from, to] = [seconds(first.validFromDate), seconds(first.validToDate)];
    return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
  },
};
