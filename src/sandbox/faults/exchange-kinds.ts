import {operations} from '../../contract/index.js'
import type {Exchange} from '../perform.js'

export const isRead = ({id}: Exchange) => operations[id].kind === 'read'

/** Whether the dates of a filter mean anything to the operation. */
export const hasRange = ({id}: Exchange) => 'range' in operations[id]

export const hasGetBody = ({method, body}: Exchange) => method === 'GET' && (body?.length ?? 0) > 0
