import type {CronJob, PodFailurePolicy} from 'kubernetes-types/batch/v1.js'
import type {ConfigMap, PersistentVolumeClaim} from 'kubernetes-types/core/v1.js'
import {stringify} from 'yaml'
import {exitCodes, stopExits} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type PodFacts, programName, toPod} from './pod.js'
import {headOf, type Schedule} from './schedule.js'

/** What a CronJob of Kubernetes needs to know of a job. */
export type CronJobFacts = Pick<Schedule, 'name' | 'at' | 'madeBy'> &
  PodFacts & {
    zone: string
    /** Text of the jobs file. */
    jobs: string
  }

/** What is left of 52 letters after the prefix: Kubernetes adds 11 for each night. */
const longestName = 42

/** Failures that a new pod may not have a little later; all others end the job until its next night. */
const passing: readonly string[] = ['locked', 'unavailable', ...stopExits]
const lasting = Object.entries(exitCodes).filter(([name, {code}]) => code !== 0 && !passing.includes(name))
const failurePolicy: PodFailurePolicy = {
  rules: [
    // A node that is drained is no failure
    {action: 'Ignore', onPodConditions: [{type: 'DisruptionTarget', status: 'True'}]},
    {
      action: 'FailJob',
      onExitCodes: {containerName: programName, operator: 'In', values: lasting.map(([, {code}]) => code)},
    },
  ],
}

/** The name of a job in Kubernetes. Throws `usage` where it takes no such name. */
export function toObjectName(name: string): string {
  if (/^[a-z\d]+([.-][a-z\d]+)*$/.test(name) && name.length <= longestName) return `vendorctl-${name}`
  throw new CliFailure(`Kubernetes takes no object of the name vendorctl-${name}.`, {
    code: 'USAGE',
    exit: 'usage',
    hints: [`Rename the job: lower-case letters and digits with "-" or "." between them, at most ${longestName}.`],
  })
}

/**
 * A CronJob with its jobs file. The disk of a pod ends with it: marks and the count of requests are in the database that
 * the secret names. A job that writes has a volume, because its journal says what was applied.
 */
export function renderCronJob(facts: CronJobFacts): string {
  const metadata = {name: toObjectName(facts.name)}
  const jobs: ConfigMap = {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {'jobs.yaml': facts.jobs}}
  const journals: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
  }
  const cronJob: CronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: `${facts.at.minute} ${facts.at.hour} * * *`,
      timeZone: facts.zone,
      startingDeadlineSeconds: 3600,
      concurrencyPolicy: 'Forbid',
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 6,
          // A pod that hangs costs no second night
          activeDeadlineSeconds: 22 * 3600,
          podFailurePolicy: failurePolicy,
          template: {spec: toPod(facts, metadata.name)},
        },
      },
    },
  }
  const objects = [jobs, ...(facts.writes ? [journals] : []), cronJob]
  const texts = objects.map((each) => stringify(each, {version: '1.1', lineWidth: 0, aliasDuplicateObjects: false}))
  return `${headOf(facts)}${texts.join('---\n')}`
}
