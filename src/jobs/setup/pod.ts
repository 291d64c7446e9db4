import type {Container, EnvVar, PodSpec, Volume, VolumeMount} from 'kubernetes-types/core/v1.js'

/** What a pod needs to know of its job. */
export type PodFacts = {
  name: string
  /** Of the program, with its tag. */
  image: string
  profile: string | undefined
  /** Names of the variables that the jobs file mentions. */
  variables: readonly string[]
  /** Path of the file that the job writes, which may hold `{date}`. */
  output: string | undefined
  /** Whether it writes to the service: its journal must outlive the pod. */
  writes: boolean
}

/** Keys of the secret, each a file of one line for the variable of this name. */
const secretFiles = {apiKey: 'API_KEY', username: 'USERNAME', password: 'PASSWORD', budget: 'BUDGET'}
export const secretKeys = Object.keys(secretFiles)
/** The container of a pod; the secret, and the settings that are none, have this name, too. */
export const programName = 'vendorctl'

const home = '/work'
const jobsFile = '/etc/vendorctl/jobs/jobs.yaml'
const secretFolder = '/etc/vendorctl/secret'

/** The pod of a job, whose objects have a name of their own. */
export function toPod(facts: PodFacts, objectName: string): PodSpec {
  const {name, profile, writes} = facts
  const {mounts, volumes} = toStorage(facts, objectName)
  const container = (own: Pick<Container, 'name' | 'args'>): Container => ({
    ...own,
    image: facts.image,
    command: ['vendorctl'],
    workingDir: home,
    envFrom: [{configMapRef: {name: programName}}],
    env: toEnvironment(facts),
    resources: {requests: {cpu: '100m', memory: '256Mi'}, limits: {memory: '512Mi'}},
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: {drop: ['ALL']},
    },
    volumeMounts: mounts,
  })
  const setProfile = ['profiles', 'set', profile ?? '', 'baseUrl=$(VENDORCTL_BASE_URL)']
  return {
    restartPolicy: 'Never',
    // Otherwise the program is process 1, which has other signals and inherits the children of others
    shareProcessNamespace: true,
    automountServiceAccountToken: false,
    // Otherwise a service of the name vendorctl sets VENDORCTL_PORT
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: {type: 'RuntimeDefault'},
    },
    ...(profile !== undefined && {initContainers: [container({name: 'profile', args: setProfile})]}),
    containers: [container({name: programName, args: ['jobs', 'run', name]})],
    volumes: [
      {name: 'work', ...(writes ? {persistentVolumeClaim: {claimName: objectName}} : {emptyDir: {}})},
      ...volumes,
    ],
  }
}

function toEnvironment({variables}: PodFacts): EnvVar[] {
  const files = Object.entries(secretFiles).map(([key, name]) => ({
    name: `VENDORCTL_${name}_FILE`,
    value: `${secretFolder}/${key}`,
  }))
  const own = variables.map((name) => ({name, valueFrom: {secretKeyRef: {name: programName, key: name}}}))
  return [{name: 'HOME', value: home}, {name: 'VENDORCTL_JOBS_FILE', value: jobsFile}, ...files, ...own]
}

/** All that a pod reads and writes besides its home, which only some jobs keep. */
function toStorage({output}: PodFacts, objectName: string): {mounts: VolumeMount[]; volumes: Volume[]} {
  const folder = outputFolder(output)
  const outputs = folder === undefined ? [] : [{name: 'output', mountPath: folder}]
  return {
    mounts: [
      {name: 'work', mountPath: home},
      ...outputs,
      // The file itself: in a mounted folder it would be a link, which is not used
      {name: 'jobs', mountPath: jobsFile, subPath: 'jobs.yaml', readOnly: true},
      {name: 'secret', mountPath: secretFolder, readOnly: true},
    ],
    volumes: [
      ...outputs.map(({name}) => ({name, emptyDir: {}})),
      {name: 'jobs', configMap: {name: objectName}},
      {name: 'secret', secret: {secretName: programName, defaultMode: 0o400}},
    ],
  }
}

/** The folder of an absolute path up to its first placeholder; undefined where it is below the home. */
function outputFolder(path = ''): string | undefined {
  const [folder] = /^\/[^{}$]+(?=\/)/.exec(path) ?? []
  return folder === undefined || `${folder}/`.startsWith(`${home}/`) ? undefined : folder
}
