import {answerFaults} from './answer-faults.js'
import {connectionFaults} from './connection-faults.js'
import {requestFaults} from './request-faults.js'

/** Every way to misbehave. */
export const catalog = {...connectionFaults, ...answerFaults, ...requestFaults}

export type FaultName = keyof typeof catalog

export const faultNames = Object.keys(catalog) as FaultName[]
