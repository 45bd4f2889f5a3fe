import { expect, test } from 'vitest';
import { unreachedKubelet } from '../../src/kube/kubelet-error.ts';

test.each([
  [
    'Get "https://10.20.0.14:10250/containerLogs/shop/cart-0/cart?follow=true": dial tcp 10.20.0.14:10250: connect: connection refused',
    'at 10.20.0.14, does not answer (connection refused).',
  ],
  [
    'Internal error occurred: error sending request: Post "https://[fd00::1]:10250/exec/shop/cart-0/cart?command=sh": dial tcp [fd00::1]:10250: connect: no route to host',
    'at [fd00::1], does not answer (no route to host).',
  ],
  [
    'error dialing backend: dial tcp 10.0.0.7:10250: i/o timeout',
    'at 10.0.0.7, does not answer (i/o timeout).',
  ],
])('a failed connection to a kubelet is explained: %s', (message, expected) => {
  expect(unreachedKubelet(message)).toContain(expected);
});

test.each([
  'container "cart" in pod "cart-0" is waiting to start: ContainerCreating',
  'dial tcp 10.96.0.1:443: connect: connection refused',
  'failed calling webhook: Post "https://hook.shop.svc:443": dial tcp 10.96.3.4:443: i/o timeout',
])('any other refusal is not explained: %s', (message) => {
  expect(unreachedKubelet(message)).toBeUndefined();
});
