import {readFileSync} from 'node:fs'
import {stringify} from 'yaml'
import {exitCodes, stopExits} from '../../contract/index.js'
import {CliFailure, usage} from '../../core/errors.js'
import {toFileFailure} from '../../formats/files/file-failure.js'
import {sayClockChanges} from './own-start.js'
import {fill, headOf, type Scheduler, type Subject} from './scheduler.js'

/** Kubernetes: a CronJob, applied by kubectl or by a tool that keeps a cluster as its repository describes it. */
export const kubernetes: Scheduler = {
  show: (subject) => ({
    text: renderCronJob(subject, readJobsText(subject.jobsFile)),
    advice: [...sayFiles(subject), ...steps(subject, toObjectName(subject.name))],
  }),

  install({madeBy}) {
    throw usage(
      '--install is not for kubernetes: kubectl installs the job, in the cluster and namespace that you choose.',
      `Install it: ${applied(madeBy)}`,
    )
  },

  remove(name) {
    throw usage(
      '--remove is not for kubernetes: kubectl removes the job, in the cluster and namespace that you choose.',
      `Remove it: kubectl delete cronjob,configmap ${toObjectName(name)}`,
    )
  },
}

function readJobsText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw toFileFailure(error, file)
  }
}

/** Advice on files that are lost with the disk of a pod, or must not be removed. */
function sayFiles({name, output, delivers, writes}: Subject): string[] {
  if (writes)
    return [`The claim vendorctl-${name} keeps the journals of what was written: do not remove it while a run is open.`]
  if (output === undefined || delivers) return []
  return ['notice: The file of the job is lost when its pod ends: add "deliver" to the job.']
}

function steps(subject: Subject, object: string): string[] {
  const keys = [...Object.keys(secretFiles), ...subject.variables].map((key) => `--from-file=${key}`).join(' ')
  return [
    ...sayClockChanges(subject),
    'Settings, once: kubectl create configmap --from-literal=VENDORCTL_BASE_URL=https://… vendorctl',
    `Secrets, once, from files of one line each: kubectl create secret generic ${keys} vendorctl`,
    `Apply it: ${applied(subject.madeBy)}`,
    `Run it now: kubectl create job ${object}-now --from=cronjob/${object}`,
    'What its parts are for: vendorctl help clusters',
  ]
}

function applied(madeBy: string): string {
  return `${madeBy} | kubectl apply -f -`
}

/** Longest name of a job, of 52 letters with the prefix: Kubernetes adds 11 for each night. */
const longestName = 42

/** The name of a job in Kubernetes. Throws `usage` where it takes no such name. */
export function toObjectName(name: string): string {
  if (/^[a-z\d]+([.-][a-z\d]+)*$/.test(name) && name.length <= longestName) return `vendorctl-${name}`
  throw new CliFailure(`Kubernetes does not accept the name vendorctl-${name}.`, {
    code: 'USAGE',
    hints: [`Rename the job: lower-case letters and digits with "-" or "." between them, at most ${longestName}.`],
  })
}

/** Failures after which a new pod is tried; all others end the job until its next night. */
const temporary: readonly string[] = ['locked', 'unavailable', ...stopExits]
const permanent = Object.entries(exitCodes).filter(([name, {code}]) => code !== 0 && !temporary.includes(name))

/** Keys of the secret, each a file of one line for the variable of this name. */
const secretFiles = {apiKey: 'API_KEY', username: 'USERNAME', password: 'PASSWORD', budget: 'BUDGET'}

const home = '/work'

/**
 * Without a process namespace the program is process 1, which has other signals and inherits the children of others;
 * with service links a service of the name vendorctl would set VENDORCTL_PORT.
 */
const objects = `{{head}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{object}}
data:
  {{jobs}}
---
{{claim}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{object}}
spec:
  schedule: {{time}}
  timeZone: {{zone}}
  startingDeadlineSeconds: 3600
  concurrencyPolicy: Forbid
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 6
      activeDeadlineSeconds: ${22 * 3600}
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: FailJob
            onExitCodes:
              containerName: vendorctl
              operator: In
              values:
                {{permanent}}
      template:
        spec:
          restartPolicy: Never
          shareProcessNamespace: true
          automountServiceAccountToken: false
          enableServiceLinks: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000
            runAsGroup: 1000
            fsGroup: 1000
            seccompProfile:
              type: RuntimeDefault
          {{profile}}
          containers:
            {{container}}
          volumes:
            - name: work
              {{work}}
            {{output}}
            - name: jobs
              configMap:
                name: {{object}}
            - name: secret
              secret:
                secretName: vendorctl
                defaultMode: ${0o400}
`

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{object}}
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 1Gi
---
`

/** The jobs file is mounted by itself: in a mounted folder it would be a symbolic link, which is refused. */
const container = `- name: {{name}}
  args:
    {{args}}
  image: {{image}}
  command:
    - vendorctl
  workingDir: ${home}
  envFrom:
    - configMapRef:
        name: vendorctl
  env:
    - name: HOME
      value: ${home}
    - name: VENDORCTL_JOBS_FILE
      value: /etc/vendorctl/jobs/jobs.yaml
    {{secrets}}
  resources:
    requests:
      cpu: 100m
      memory: 256Mi
    limits:
      memory: 512Mi
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop:
        - ALL
  volumeMounts:
    - name: work
      mountPath: ${home}
    {{output}}
    - name: jobs
      mountPath: /etc/vendorctl/jobs/jobs.yaml
      subPath: jobs.yaml
      readOnly: true
    - name: secret
      mountPath: /etc/vendorctl/secret
      readOnly: true
`

/**
 * A CronJob with its jobs file. The disk of a pod ends with it: marks and the count of requests are in the database that
 * the secret names. A job that writes has a volume, because its journal says what was applied. A node that is drained is
 * no failure, and a pod that hangs costs no second night.
 */
export function renderCronJob(subject: Subject, jobs: string): string {
  const {name, at, zone, image, profile, variables, writes} = subject
  const object = toObjectName(name)
  const folder = outputFolder(subject.output)
  const secrets = [
    ...Object.entries(secretFiles).map(([key, variable]) => ({
      name: `VENDORCTL_${variable}_FILE`,
      value: `/etc/vendorctl/secret/${key}`,
    })),
    ...variables.map((key) => ({name: key, valueFrom: {secretKeyRef: {name: 'vendorctl', key}}})),
  ]
  const mount = folder === undefined ? '' : yaml([{name: 'output', mountPath: folder}])
  const toContainer = (own: string, args: readonly string[]) =>
    fill(container, {
      ...{name: own, args: yaml(args), image: yaml(image).trimEnd(), secrets: yaml(secrets), output: mount},
    })
  const profileArgs = ['profiles', 'set', profile ?? '', 'baseUrl=$(VENDORCTL_BASE_URL)']
  return fill(objects, {
    ...{head: headOf(subject), object, zone, time: `${at.minute} ${at.hour} * * *`},
    jobs: yaml({'jobs.yaml': jobs}),
    claim: writes ? fill(claim, {object}) : '',
    permanent: yaml(permanent.map(([, {code}]) => code)),
    profile:
      profile === undefined ? '' : fill('initContainers:\n  {{it}}\n', {it: toContainer('profile', profileArgs)}),
    container: toContainer('vendorctl', ['jobs', 'run', name]),
    work: writes ? `persistentVolumeClaim:\n  claimName: ${object}` : 'emptyDir: {}',
    output: folder === undefined ? '' : '- name: output\n  emptyDir: {}',
  })
}

/** The folder of an absolute path up to its first placeholder; undefined where it is below the home. */
function outputFolder(path = ''): string | undefined {
  const [folder] = /^\/[^{}$]+(?=\/)/.exec(path) ?? []
  return folder === undefined || `${folder}/`.startsWith(`${home}/`) ? undefined : folder
}

/** A value that a person named, as lines of YAML that kubectl reads the same way. */
function yaml(value: unknown): string {
  return stringify(value, {version: '1.1', lineWidth: 0, aliasDuplicateObjects: false})
}
