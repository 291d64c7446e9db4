import {operations} from './resources/index.js'

export {operations}

export type OperationId = keyof typeof operations

type IdOf<Kind> = {[Id in OperationId]: (typeof operations)[Id]['kind'] extends Kind ? Id : never}[OperationId]

/** Operation ids by kind. */
export type ReadId = IdOf<'read'>
export type WriteId = IdOf<'write'>
export type SessionId = IdOf<'session'>

export type ReportId = {
  [Id in ReadId]: (typeof operations)[Id] extends {report: object} ? Id : never
}[ReadId]

/** Operations that a part of the program is about, so that no other file names one. */
export const transactionReport = 'reports.transactions' satisfies ReadId
export const login = 'auth.login' satisfies SessionId
export const keyTest = 'auth.test' satisfies SessionId
/** The alerts of machines, and the meaning of their codes. */
export const alertList = 'alerts.list' satisfies ReadId
export const alertCodeList = 'alerts.codes' satisfies ReadId
/** The read that shows whether key, token and filters arrive. */
export const smallestRead = 'machines.list' satisfies ReadId
