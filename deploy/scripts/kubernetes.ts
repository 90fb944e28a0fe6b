import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import { environment } from '../../server/config/environment.ts';
import { shutdownLimits } from '../../server/shut-down.ts';
import { alertRules } from './alert-files.ts';

/** What a cluster changes here, before `npm run deploy:files`. */
const CLUSTER = {
  namespace: 'site',
  image: 'registry.example.com/corridor-site:1.0.0',
  publicUrl: 'https://www.example.com',
  /** Address of the CMS, and the namespace and the port of its pods. */
  cms: { url: 'http://cms.cms.svc:1337', namespace: 'cms', port: 1_337 },
  /** The namespace and the port of the two Redis. Their addresses have passwords, and are in the secret. */
  stores: { namespace: 'stores', port: 6_379 },
  ingress: 'ingress-nginx',
  monitoring: 'monitoring',
  pods: { least: 3, most: 9 },
};

/** The secret with these variables, which nobody commits. docs/deploying.md has the command. */
const SECRET = 'site';
export const SECRET_VARIABLES = [
  ...[
    'CONTENT_TOKEN',
    'WEBHOOK_SECRET',
    'PROBLEMS_TOKEN',
    'PREVIEW_SECRET',
    'PREVIEW_TOKEN',
    'SUBSCRIBE_SECRET',
  ],
  ...['SHARED_URL', 'SHARED_SECRET', 'OUTBOX_URL', 'OPS_TOKEN'],
] as const;

/** The user `node` of the image. */
const USER = 1_000;
const PORTS = {
  site: environment.shape.PORT.parse(undefined),
  ops: environment.shape.OPS_PORT.parse(undefined),
};

/**
 * The pause before SIGTERM, in place of SHUTDOWN_DELAY_MS: routers learn of the end from Kubernetes alone.
 */
const PRE_STOP_S = Math.ceil(Number(environment.shape.SHUTDOWN_DELAY_MS.meta()?.inImage) / 1_000);
const SHUTDOWN_DELAY_MS = 0;
/** The time of the pause and of the process, and a second for the kubelet. */
const GRACE_S = PRE_STOP_S + Math.ceil(shutdownLimits(SHUTDOWN_DELAY_MS).endMs / 1_000) + 1;

const { namespace } = CLUSTER;
const labels = { 'app.kubernetes.io/name': 'site' };
const metadata = { name: 'site', namespace, labels };
const selector = { matchLabels: labels };
const inNamespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

const container = {
  name: 'site',
  image: CLUSTER.image,
  ports: [
    { name: 'site', containerPort: PORTS.site },
    { name: 'ops', containerPort: PORTS.ops },
  ],
  envFrom: [{ configMapRef: { name: metadata.name } }, { secretRef: { name: SECRET } }],
  env: [{ name: 'REPLICA_ID', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  // The liveness probe asks the port of visitors. It ends a process that hangs, but not one that drains or
  // has no content.
  startupProbe: { httpGet: { path: '/livez', port: 'site' }, periodSeconds: 1, failureThreshold: 60 },
  livenessProbe: {
    httpGet: { path: '/livez', port: 'site' },
    periodSeconds: 10,
    timeoutSeconds: 5,
    failureThreshold: 3,
  },
  readinessProbe: {
    httpGet: { path: '/readyz', port: 'site' },
    periodSeconds: 2,
    timeoutSeconds: 2,
    failureThreshold: 2,
  },
  lifecycle: { preStop: { sleep: { seconds: PRE_STOP_S } } },
  resources: {
    requests: { cpu: '500m', memory: '512Mi', 'ephemeral-storage': '4Gi' },
    // No limit of the processor: a throttled event loop delays all visitors.
    limits: { memory: '1Gi', 'ephemeral-storage': '5Gi' },
  },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
};

const deployment = new Deployment({
  metadata,
  spec: {
    selector,
    // The new pod comes first. The autoscaler sets the number of pods.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    minReadySeconds: 5,
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: metadata.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: GRACE_S,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: USER,
          runAsGroup: USER,
          fsGroup: USER,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map(
          topologyKey => ({
            topologyKey,
            maxSkew: 1,
            whenUnsatisfiable: 'ScheduleAnyway',
            labelSelector: selector,
          }),
        ),
        containers: [container],
        // The folder ends with its pod. Content is in the shared store too, and messages are in the queue.
        volumes: [{ name: 'data', emptyDir: { sizeLimit: '4Gi' } }],
      },
    },
  },
});

const tcp = (port: number) => ({ protocol: 'TCP' as const, port });
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'];
const networkPolicy = new NetworkPolicy({
  metadata,
  spec: {
    podSelector: selector,
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      // Visitors come by the ingress, and events come from the CMS.
      { from: [inNamespace(CLUSTER.ingress), inNamespace(CLUSTER.cms.namespace)], ports: [tcp(PORTS.site)] },
      { from: [inNamespace(CLUSTER.monitoring)], ports: [tcp(PORTS.ops)] },
    ],
    egress: [
      { to: [inNamespace('kube-system')], ports: [{ protocol: 'UDP', port: 53 }, tcp(53)] },
      { to: [inNamespace(CLUSTER.cms.namespace)], ports: [tcp(CLUSTER.cms.port)] },
      { to: [inNamespace(CLUSTER.stores.namespace)], ports: [tcp(CLUSTER.stores.port)] },
      // Servers of MEDIA_ORIGINS, and the API of a CDN: nothing private, and not the metadata of the cloud.
      {
        to: [{ ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE } }],
        ports: [tcp(443)],
      },
    ],
  },
});

/** The objects of `deploy/kubernetes.yaml`, in the order in which they are applied. */
export const manifests = [
  new ServiceAccount({ metadata, automountServiceAccountToken: false }),
  new ConfigMap({
    metadata,
    data: {
      PUBLIC_URL: CLUSTER.publicUrl,
      // The ingress is the one proxy in front.
      TRUST_PROXY: '1',
      CONTENT_BASE_URL: CLUSTER.cms.url,
      SHARED_PREFIX: 'site',
      SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS),
    },
  }),
  deployment,
  new Service({
    metadata,
    spec: {
      selector: labels,
      ports: [
        { name: 'site', port: 80, targetPort: 'site' },
        { name: 'ops', port: PORTS.ops, targetPort: 'ops' },
      ],
    },
  }),
  new PodDisruptionBudget({ metadata, spec: { selector, maxUnavailable: 1 } }),
  new HorizontalPodAutoscaler({
    metadata,
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name },
      minReplicas: CLUSTER.pods.least,
      maxReplicas: CLUSTER.pods.most,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
      ],
      // A pod begins with an empty memory, so it is not taken away at once.
      behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
    },
  }),
  networkPolicy,
  new ServiceMonitor({
    metadata,
    spec: {
      selector,
      jobLabel: 'app.kubernetes.io/name',
      endpoints: [
        {
          port: 'ops',
          interval: '15s',
          authorization: { type: 'Bearer', credentials: { name: SECRET, key: 'OPS_TOKEN' } },
        },
      ],
    },
  }),
  new PrometheusRule({ metadata, spec: alertRules() }),
];
