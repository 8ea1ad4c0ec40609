package io.understudy.testkit.faultpoints;

/** Code that passes a place. */
record Place(int number) {

    void passed() {
        FaultPoints.at(number);
    }
}
