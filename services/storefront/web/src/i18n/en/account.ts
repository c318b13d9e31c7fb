import type { Same } from '..'
import type zh from '../zh/account'

const en: Same<typeof zh> = {
  title: {
    account: 'Account',
    login: 'Log in',
    register: 'Register',
    reset: 'Reset the password',
    profile: 'Profile',
    mobile: 'Change the mobile',
    addresses: 'Addresses',
    address: 'Address',
  },
}

export default en
