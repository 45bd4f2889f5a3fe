import { expect, test } from 'vitest';
import { imagePage } from '../../src/kube/image-page.ts';

test.each([
  ['nginx', 'https://hub.docker.com/_/nginx'],
  ['nginx:1.27', 'https://hub.docker.com/_/nginx'],
  ['library/nginx@sha256:abc123', 'https://hub.docker.com/_/nginx'],
  ['docker.io/grafana/loki:3.0.0', 'https://hub.docker.com/r/grafana/loki'],
  ['ghcr.io/owner/team/app:v1', 'https://ghcr.io/owner/team/app'],
  ['quay.io/jetstack/cert-manager:v1', 'https://quay.io/repository/jetstack/cert-manager'],
  ['gcr.io/distroless/static', 'https://console.cloud.google.com/gcr/images/distroless/GLOBAL/static'],
  [
    'registry.k8s.io/ingress-nginx/controller:v1.11.2@sha256:d5f8',
    'https://console.cloud.google.com/gcr/images/k8s-artifacts-prod/US/ingress-nginx/controller',
  ],
  ['public.ecr.aws/docker/library/redis', 'https://gallery.ecr.aws/docker/library/redis'],
  ['mcr.microsoft.com/dotnet/aspnet:8.0', 'https://mcr.microsoft.com/en-us/artifact/mar/dotnet/aspnet'],
])('the image %s has the page %s', (image, page) => {
  expect(imagePage(image)).toBe(page);
});

test.each([
  '',
  'registry.example.org/team/app:1',
  'localhost/app',
  'localhost:5000/app',
  'docker.io.example.org/app',
  'docker.io:8443/library/nginx',
  'javascript:alert(1)',
  'quay.io/../admin/x',
  'quay.io/a/b?x=y',
  'quay.io/a//b',
  'quay.io@example.org/a/b',
  'ghcr.io/owner/app#fragment',
  'a/b/c',
  '__proto__/x',
  `quay.io/a/${'b'.repeat(300)}`,
])('the image %j has no page: its registry is not in the table, or it is no image', (image) => {
  expect(imagePage(image)).toBeUndefined();
});
