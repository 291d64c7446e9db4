import type {CronJob} from 'kubernetes-types/batch/v1.js'
import type {ConfigMap} from 'kubernetes-types/core/v1.js'
import {expect, test} from 'vitest'
import {parseAllDocuments} from 'yaml'
import {exitCodes} from '../../../src/contract/index.js'
import {renderCronJob, toObjectName} from '../../../src/jobs/setup/cron-job.js'
import type {Subject} from '../../../src/jobs/setup/scheduler.js'

const subject: Subject = {
  ...{program: [], environment: {}, jobsFile: '', delivers: false, relative: [], now: 0, version: '0.1.0', shell: {}},
  name: 'nightly',
  at: {hour: 2, minute: 10},
  zone: 'Europe/Berlin',
  image: 'registry.example.com/vendorctl:0.1',
  profile: undefined,
  variables: [],
  output: undefined,
  writes: false,
  madeBy: 'vendorctl jobs setup kubernetes nightly --at 02:10',
}

const usualJobs = 'jobs:\n  nightly: {command: machines list}\n'

/** As kubectl reads it, which still takes `yes` and `on` for values of their own. */
function read(more: Partial<Subject> = {}, jobs = usualJobs) {
  const documents = [...parseAllDocuments(renderCronJob({...subject, ...more}, jobs), {version: '1.1'})]
  const objects = documents.map((each) => each.toJS() as ConfigMap & CronJob)
  const job = objects.at(-1)?.spec?.jobTemplate.spec
  return {objects, cronJob: objects.at(-1)?.spec, job, pod: job?.template.spec}
}

test('a job at a time of its zone, one at a time, with the jobs file beside it', () => {
  const {objects, cronJob, pod} = read()

  expect(objects.map(({kind, metadata}) => [kind, metadata?.name])).toEqual([
    ['ConfigMap', 'vendorctl-nightly'],
    ['CronJob', 'vendorctl-nightly'],
  ])
  expect(objects[0]?.data).toEqual({'jobs.yaml': usualJobs})
  expect(cronJob).toMatchObject({schedule: '10 2 * * *', timeZone: 'Europe/Berlin', concurrencyPolicy: 'Forbid'})
  expect(pod?.containers[0]).toMatchObject({image: subject.image, args: ['jobs', 'run', 'nightly']})
})

test('what may pass is tried again in a new pod; every other exit code of the program ends the job', () => {
  const {job, pod} = read()
  const values = job?.podFailurePolicy?.rules.find(({action}) => action === 'FailJob')?.onExitCodes?.values ?? []

  const others = Object.values(exitCodes).flatMap(({code}) => (values.includes(code) ? [] : [code]))
  expect(others).toEqual([0, 13, 75, 129, 130, 143])
  expect(job?.backoffLimit).toBeGreaterThan(0)
  expect(pod?.restartPolicy).toBe('Never')
})

test('no secret is in it, and nothing is written but its volumes', () => {
  const {pod} = read({output: '/srv/reports/tx-{date}.csv', variables: ['PING_URL']})
  const [container] = pod?.containers ?? []
  const folders = container?.volumeMounts?.map(({name, mountPath}) => [name, mountPath])

  expect(pod?.volumes).toMatchObject([
    {name: 'work', emptyDir: {}},
    {name: 'output', emptyDir: {}},
    {name: 'jobs', configMap: {name: 'vendorctl-nightly'}},
    {name: 'secret', secret: {secretName: 'vendorctl', defaultMode: 0o400}},
  ])
  expect(folders?.slice(0, 2)).toEqual([
    ['work', '/work'],
    ['output', '/srv/reports'],
  ])
  expect(container?.volumeMounts?.[2]).toMatchObject({mountPath: '/etc/vendorctl/jobs/jobs.yaml', subPath: 'jobs.yaml'})
  expect(container?.securityContext).toMatchObject({readOnlyRootFilesystem: true, allowPrivilegeEscalation: false})
  expect(container?.env?.at(-1)).toEqual({
    name: 'PING_URL',
    valueFrom: {secretKeyRef: {name: 'vendorctl', key: 'PING_URL'}},
  })
})

test.each([
  ['/work/out/{date}.csv', undefined],
  ['out/{date}.csv', undefined],
  ['/srv/{date}/tx.csv', '/srv'],
])('the volume for %s', (output, folder) => {
  const mounts = read({output}).pod?.containers[0]?.volumeMounts

  expect(mounts?.find(({name}) => name === 'output')?.mountPath).toBe(folder)
})

test('a job that writes keeps its journals, and one with a profile makes it first', () => {
  const {objects, pod} = read({writes: true, profile: 'on'})

  expect(objects[1]).toMatchObject({kind: 'PersistentVolumeClaim', metadata: {name: 'vendorctl-nightly'}})
  expect(pod?.volumes?.[0]).toEqual({name: 'work', persistentVolumeClaim: {claimName: 'vendorctl-nightly'}})
  expect(pod?.initContainers?.[0]?.args).toEqual(['profiles', 'set', 'on', 'baseUrl=$(VENDORCTL_BASE_URL)'])
})

test('the jobs file arrives as it is, whatever is in it', () => {
  const jobs = '\n  # "ü" \t: |\r\n---\njobs: {a: yes}\n\n...\n  '

  expect(read({}, jobs).objects[0]?.data).toEqual({'jobs.yaml': jobs})
})

test.each(['Nightly', 'a_b', 'a.', '-a', 'a..b', 'a'.repeat(43)])('no object has the name of job %s', (name) => {
  expect(() => toObjectName(name)).toThrow(/Kubernetes does not accept the name/)
})
