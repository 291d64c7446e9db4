import {refuse} from '../refusal.js'
import {readObject, toNames} from '../wire/standard-request.js'
import type {SessionHandler} from './handler.js'

/** Gives a token for user name and password. [pub] */
export const login: SessionHandler = ({key, body, sessions, now}) => {
  const given = toNames(readObject(body))
  const [username, password] = ['username', 'password'].map((name) => {
    const value = given.get(name)
    if (value === undefined || value === null || value === '') {
      throw refuse('MISSING_REQUIRED_DATA', `${name} is required.`, [name], 'name')
    }
    if (typeof value !== 'string') throw refuse('GENERIC_ERROR', `${name} must be text.`, [name], 'name')
    return value
  })
  return {...sessions.login(key, username ?? '', password ?? '', now)}
}

/** Reached only with a right API key. [pub] */
export const testKey: SessionHandler = () => 'Access token was valid'
