import { expect, test } from 'vitest';
import { pluralTitle } from '../../src/registry/kinds/kind-title.ts';

test.each([
  ['KafkaTopic', 'kafkatopics', 'KafkaTopics'],
  ['NetworkPolicy', 'networkpolicies', 'NetworkPolicies'],
  ['Certificate', 'certificates', 'Certificates'],
  ['AnalysisRun', 'analysisruns', 'AnalysisRuns'],
  ['RuntimeClass', 'runtimeclasses', 'RuntimeClasses'],
  ['Endpoints', 'endpoints', 'Endpoints'],
  ['Gateway', 'gateways', 'Gateways'],
  ['KafkaTopic', 'kt', 'KafkaTopic'],
  ['Widget', 'gizmos', 'Widget'],
])('the title of %s, whose plural is %s, is %s', (kind, plural, title) => {
  expect(pluralTitle(kind, plural)).toBe(title);
});
