import {readFileSync} from 'node:fs'
import {usage} from '../../../core/errors.js'
import {toFileFailure} from '../../../formats/files/file-failure.js'
import {renderCronJob, secretKeys, toObjectName} from '../../../jobs/setup/cron-job.js'

import {sayClockChanges} from './notices.js'
import type {Scheduler, Shown, Subject} from './scheduler.js'

/** Kubernetes: a CronJob, which kubectl applies, or whatever keeps a cluster as its repository says. */
export const kubernetes: Scheduler = {
  show(subject): Shown {
    const {schedule, image, profile, variables, output, zone, writes} = subject
    const {name, at, madeBy} = schedule
    const jobs = readJobs(subject.jobsFile)
    return {
      text: renderCronJob({name, at, madeBy, zone, image, jobs, profile, variables, output, writes}),
      advice: [...sayFiles(subject), ...steps(subject, toObjectName(name))],
    }
  },

  install({schedule}) {
    throw usage(
      'kubectl installs it, in the cluster and the namespace that you choose.',
      `Install it: ${applied(schedule.madeBy)}`,
    )
  },

  remove(name) {
    throw usage(
      'kubectl removes it, in the cluster and the namespace that you choose.',
      `Remove it: kubectl delete cronjob,configmap ${toObjectName(name)}`,
    )
  },
}

function readJobs(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw toFileFailure(error, file)
  }
}

/** What is lost with the disk of a pod. */
function sayFiles({output, delivers, writes, schedule}: Subject): string[] {
  if (writes) {
    return [
      `The claim vendorctl-${schedule.name} keeps the journals of what was written: do not remove it while a run is open.`,
    ]
  }
  if (output === undefined || delivers) return []
  return ['notice: The file of the job is gone when its pod ends: give the job deliver, which hands it over.']
}

function steps(subject: Subject, object: string): string[] {
  const keys = [...secretKeys, ...subject.variables].map((key) => `--from-file=${key}`).join(' ')
  return [
    ...sayClockChanges(subject),
    'Settings, once: kubectl create configmap --from-literal=VENDORCTL_BASE_URL=https://… vendorctl',
    `Secrets, once, from files that hold one line each: kubectl create secret generic ${keys} vendorctl`,
    `Apply it: ${applied(subject.schedule.madeBy)}`,
    `Run it now: kubectl create job ${object}-now --from=cronjob/${object}`,
    'What its parts are for: vendorctl help clusters',
  ]
}

function applied(madeBy: string): string {
  return `${madeBy} | kubectl apply -f -`
}
