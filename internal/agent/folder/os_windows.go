package folder

const nonBlock = 0
