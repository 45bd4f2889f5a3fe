import { create } from '../life/write.ts';
import type { World } from '../store/world.ts';

const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

const proxy = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
bindAddress: 0.0.0.0
clientConnection:
  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
clusterCIDR: 10.244.0.0/16
kind: KubeProxyConfiguration
mode: iptables
`;

const kubelet = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    enabled: true
authorization:
  mode: Webhook
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
kind: KubeletConfiguration
rotateCertificates: true
staticPodPath: /etc/kubernetes/manifests
`;

const cluster = (version: string) => `apiServer: {}
apiVersion: kubeadm.k8s.io/v1beta4
clusterName: kubernetes
controlPlaneEndpoint: 10.20.0.10:6443
etcd:
  local:
    dataDir: /var/lib/etcd
imageRepository: registry.k8s.io
kind: ClusterConfiguration
kubernetesVersion: ${version}
networking:
  dnsDomain: cluster.local
  podSubnet: 10.244.0.0/16
  serviceSubnet: 10.96.0.0/12
`;

/** Creates the config maps that a cluster's installer leaves in kube-system. */
export function plantSystemMaps(world: World): void {
  const maps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    coredns: { Corefile: corefile },
    'kube-proxy': { 'config.conf': proxy },
    'kubelet-config': { kubelet },
    'kubeadm-config': { ClusterConfiguration: cluster(world.registry.version['gitVersion'] ?? '') },
    'kube-apiserver-legacy-service-account-token-tracking': {
      since: new Date(world.clock.now()).toISOString().slice(0, 10),
    },
  };
  for (const [name, data] of Object.entries(maps))
    create(world, '/configmaps', 'kube-system', { metadata: { name }, data: { ...data } });
}
