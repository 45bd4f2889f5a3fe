import { at, type Obj, type Rec, recs } from '../kit/values.ts';

/** The condition Complete or Failed of a Job; undefined while it has neither. */
export function jobEnd(job: Obj): Rec | undefined {
  return recs(at(job, 'status', 'conditions')).find(
    (item) => (item['type'] === 'Complete' || item['type'] === 'Failed') && item['status'] === 'True',
  );
}

/** Whether a Job has ended. */
export const isJobOver = (job: Obj): boolean => jobEnd(job) !== undefined;
